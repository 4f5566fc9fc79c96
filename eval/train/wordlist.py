"""Lists the words of English that UD EWT and GUM have: `python -m eval.train.wordlist` writes guardrail/data/vocabulary.txt.

Data: Universal Dependencies, EWT (CC BY-SA 4.0) and the freely licensed genres of GUM (annotation CC BY 4.0).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from eval.datasets.files import find
from eval.train.treebank import TRAIN, read
from guardrail.claims.reading.tokens import tokenize
from guardrail.language.vocabulary import VOCABULARY

_NAMES = ("NNP", "NNPS")
_STRANGE = ("FW", "ADD", "GW")  # foreign words, addresses, parts of misspelled words


_HEADER = "# The words of UD English EWT (CC BY-SA 4.0) and GUM (annotation CC BY 4.0), by python -m eval.train.wordlist"


def entries(tagged: Iterable[tuple[str, str]]) -> list[str]:
    """The words of letters alone, sorted, in small letters; those that are names four times out of five with a capital.

    `tagged`: words with their tags of the Penn treebank.
    """
    common: Counter[str] = Counter()
    names: Counter[str] = Counter()
    for word, tag in tagged:
        if word.isalpha() and tag not in _STRANGE:
            (names if tag in _NAMES else common)[word.lower()] += 1
    words = (word for word in common.keys() | names.keys())
    return sorted(word.capitalize() if names[word] > 4 * common[word] else word for word in words)


def main() -> None:
    told = (
        (token.text, tag)
        for part in TRAIN
        for gold in read(find(part))
        for word, tag in zip(gold.words, gold.tags, strict=True)
        for token in tokenize(word)
    )
    found = entries(told)
    VOCABULARY.write_text("\n".join([_HEADER, *found]) + "\n", encoding="utf-8")
    print(f"{VOCABULARY}: {len(found)} words")


if __name__ == "__main__":
    main()
