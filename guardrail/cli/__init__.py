"""The `guardrail` command: one module per subcommand, each loaded only when it is called."""
