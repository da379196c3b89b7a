"""What the program is measured by: one module a question, run with `python -m benchmarks.NAME`."""
