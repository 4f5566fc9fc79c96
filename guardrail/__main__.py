"""`python -m guardrail`: the command line where the script `guardrail` is not on the path."""

from guardrail.cli.main import main

if __name__ == "__main__":
    main()
