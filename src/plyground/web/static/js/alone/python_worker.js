// Python in a worker of its own: Pyodide, and Plyground itself as it is written, beside the page. It is ended when it does
// not answer, so nothing is kept in it.

const FOLDER = new URL("../../python/", import.meta.url);

async function fetched(name) {
  const response = await fetch(new URL(name, FOLDER));
  if (!response.ok) throw new Error(`the host answers ${response.status} for ${name}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function loaded() {
  const { loadPyodide } = await import(new URL("pyodide.mjs", FOLDER).href);
  const [python, zip] = await Promise.all([loadPyodide({ indexURL: FOLDER.href, stdout: () => null, stderr: () => null }), fetched("plyground.zip")]);
  python.unpackArchive(zip, "zip");
  return python.pyimport("plyground.web.typed");
}

const loading = loaded();
loading.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: error.message }));

addEventListener("message", async ({ data }) => {
  const typed = await loading;
  try {
    postMessage({ answer: JSON.parse(typed.answer(JSON.stringify(data))) });
  } catch (error) {
    postMessage({ failed: error.message });
  }
});
