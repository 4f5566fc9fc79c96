"""Other people's clients and their own tests, run against this proxy: each in an environment of its own, built on demand."""
