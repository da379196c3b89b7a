"""Settings for all tests."""

from hypothesis import HealthCheck, settings

# The same examples every time, and no clock: a test fails on a busy machine only if it fails on an idle one.
settings.register_profile(
    "ci", derandomize=True, deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci")
