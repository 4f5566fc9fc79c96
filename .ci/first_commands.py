"""What the README tells a newcomer to type, in the environment that this interpreter is of: the output is what stands there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from urllib.request import Request, urlopen

GUARDRAIL = str(Path(sys.executable).parent / "guardrail")
README = Path(sys.argv[1]).read_text("utf-8")


def printed(*arguments: str) -> str:
    return subprocess.run([*arguments], capture_output=True, text=True, check=False).stdout.strip()


def plain(text: str) -> list[str]:
    return [re.sub(r"\d\.\d+", "0.0", line).rstrip() for line in text.strip().splitlines()]


def same(found: object, wanted: object) -> None:
    if found != wanted:
        sys.exit(f"the README says\n{wanted}\nand this came\n{found}")


def ask(root: str, question: str) -> str:
    """The text that arrives, as the README asks for it: streamed, revised."""
    body = {"model": "demo", "stream": True, "messages": [{"role": "user", "content": question}]}
    headers = {"content-type": "application/json", "x-guardrail-policy": "revise"}
    with urlopen(
        Request(f"{root}/v1/chat/completions", json.dumps(body).encode(), headers), timeout=60
    ) as answer:
        lines = [line[6:] for line in answer.read().decode().splitlines() if line.startswith("data: {")]
    return "".join(c["delta"].get("content") or "" for line in lines for c in json.loads(line)["choices"])


def served() -> None:
    """`guardrail serve`, on a free port."""
    server = subprocess.Popen([GUARDRAIL, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True)
    try:
        greeting = iter(server.stdout.readline, "") if server.stdout else iter(())
        root = next(line.split()[1].removesuffix("/v1") for line in greeting if "base_url" in line)
        text = ask(root, "When was Taylor Swift born?")
        same(text.startswith("Taylor Swift was born on 13 December 1989 in West Reading."), True)
    finally:
        server.terminate()
        server.wait(30)


same(printed(GUARDRAIL, "--version"), f"guardrail, version {version('claim-guardrail')}")
command = re.search(r'\$ guardrail check "(.*?)"\n(.*?)```', README, re.DOTALL)
library = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[1]
if command is None:
    sys.exit("the README shows no `guardrail check`")
same(plain(printed(GUARDRAIL, "check", command[1])), plain(command[2]))
same(printed(sys.executable, "-c", library), "contradictory The capital of Australia is Canberra.")
served()
print("the README's first commands run")
