"""The `kg` group."""

from click.testing import CliRunner

from guardrail.cli.kg import kg


def test_every_command_explains_itself() -> None:
    """`--help` of the group names them all, and each has its own."""
    commands = ("import", "add", "complete", "retract", "stats", "search", "show", "path", "check", "export")
    listed = CliRunner().invoke(kg, ["--help"]).output
    for name in commands:
        assert f"  {name} " in listed
        assert CliRunner().invoke(kg, [name, "--help"]).output.startswith("Usage:")


def test_an_unknown_command_is_an_error() -> None:
    """With exit code 2."""
    assert CliRunner().invoke(kg, ["frobnicate"]).exit_code == 2
