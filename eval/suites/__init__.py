"""One module for each suite: a one-line docstring and `run() -> int`, 0 where every bar is met."""
