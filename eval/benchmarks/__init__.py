"""Speed, memory and size, each as a ratio to a baseline of the same run: `python -m eval.benchmarks.NAME`."""
