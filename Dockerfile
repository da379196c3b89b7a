# The page with everything it can do: docker build -t plyground . && docker run --rm -p 8765:8765 plyground
# Bots are isolated by bubblewrap, which needs --security-opt seccomp=unconfined and user namespaces of the host; without
# them Plyground uses Landlock and says so (docker run --rm plyground doctor).
FROM python:3.13-slim AS build
RUN apt-get update -qq && apt-get install -qq -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --wheel-dir /wheels '.[web]'

FROM python:3.13-slim
RUN apt-get update -qq && apt-get install -qq -y --no-install-recommends bubblewrap && rm -rf /var/lib/apt/lists/* \
  && useradd --create-home player
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-index --find-links /wheels 'plyground[web]' && rm -r /wheels
USER player
WORKDIR /home/player
EXPOSE 8765
ENTRYPOINT ["plyground"]
CMD ["serve", "--host", "0.0.0.0", "--allow-host", "localhost"]
