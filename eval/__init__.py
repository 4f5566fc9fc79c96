"""Files in, figures out: evaluation suites, benchmarks, training. It may import everything, and nothing imports it."""
