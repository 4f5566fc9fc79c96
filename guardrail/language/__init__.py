"""What English says: a sentence in, a `Doc` out, with its tokens, lemmas, tags and heads.

`Parser` reads a sentence once, on spaCy; tags are those of the Penn treebank, relations those of Universal Dependencies. Only
this room knows spaCy: a `Doc` is plain data, which threads may share and memory may forget.
"""

from __future__ import annotations

from guardrail.language.doc import Doc, Parse, Token
from guardrail.language.pipeline import LONGEST, Parser, parser

__all__ = ["LONGEST", "Doc", "Parse", "Parser", "Token", "parser"]
