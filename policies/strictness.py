"""Which of two policies is the stricter one: a client may ask for more than the operator's policy does, not for less.

`at_least(asked, than)` holds when `asked` does everything to an answer that `than` does: it shows text no earlier, acts at
least as strongly on each finding and wherever nothing was checked, trusts no source more that comes from the client, and keeps
no smaller record. What cannot be compared is not stricter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields

from guardrail.types import Source
from policies.terms import Action, AnswerCondition, AnswerRule, ClaimCondition, ClaimRule, Mode, Policy, Range

__all__ = ["at_least", "strictest", "uncovered", "weaker"]

Condition = ClaimCondition | AnswerCondition
_MODES = tuple(Mode)
_STORES = ("hash", "flagged", "full")


def at_least(asked: Policy, than: Policy) -> bool:
    """Whether nothing that `than` would keep from a client gets through under `asked`."""
    return not weaker(asked, than)


def weaker(asked: Policy, than: Policy) -> str:
    """The first thing in which `asked` does less than `than`, in words; empty where there is none."""
    if asked == than:
        return ""
    lacking = (said for said, holds in _MEASURES.items() if not holds(asked, than))
    return next(lacking, "")


def strictest(policies: Iterable[Policy]) -> Policy:
    """The one that does most: of those that wait longest, the one with the strongest action; the first of equals.

    Raises ValueError where there is none.
    """
    return max(policies, key=lambda one: (_mode(one), _force(one, one.strongest), _force(one, one.on_error)))


def _mode(policy: Policy) -> int:
    return 0 if policy.shadow else _MODES.index(policy.mode)


def _force(policy: Policy, action: Action) -> int:
    """What an action does to the text: findings that only travel beside it do nothing, nor does a shadow."""
    return 0 if policy.shadow or action is Action.ANNOTATE else action.strength


def _waits(asked: Policy, than: Policy) -> bool:
    if _mode(asked) != _mode(than):
        return _mode(asked) > _mode(than)
    return asked.mode is not Mode.HOLD or asked.hold.sentences >= than.hold.sentences


def _ends(policy: Policy, action: Action) -> tuple[int, int]:
    """What a rule comes to: where a claim has a verified revision, and where it has none."""
    if action is Action.REGENERATE:
        action = policy.on_regenerated
    without = policy.on_no_revision if action is Action.REVISE else action
    return _force(policy, action), _force(policy, without)


def _claims(asked: Policy, than: Policy) -> bool:
    """Every rule about claims has one in `asked` that holds wherever it does, and is no weaker."""
    return all(
        any(_covers(mine, rule) and _stronger(asked, mine, than, rule) for mine in asked.claims)
        for rule in than.claims
        if _acts(than, rule)
    )


def uncovered(asked: Policy, than: Policy) -> tuple[ClaimRule | AnswerRule, ...]:
    """The rules of `than` that change what a client sees, and for which `asked` has none that holds wherever they do."""
    found: list[ClaimRule | AnswerRule] = []
    found += (rule for rule in than.claims if not any(_covers(mine, rule) for mine in asked.claims))
    found += (rule for rule in than.answer if not any(_covers(mine, rule) for mine in asked.answer))
    return tuple(rule for rule in found if _acts(than, rule))


def _acts(policy: Policy, rule: ClaimRule | AnswerRule) -> bool:
    return any(_ends(policy, rule.then or policy.on_flag))


def _covers(mine: ClaimRule | AnswerRule, rule: ClaimRule | AnswerRule) -> bool:
    exempt = mine.unless is None or (rule.unless is not None and _wider(rule.unless, mine.unless))
    return exempt and _wider(mine.when, rule.when)


def _stronger(asked: Policy, mine: ClaimRule, than: Policy, rule: ClaimRule) -> bool:
    own, wanted = _ends(asked, mine.then or asked.on_flag), _ends(than, rule.then or than.on_flag)
    return own[0] >= wanted[0] and own[1] >= wanted[1]


def _answers(asked: Policy, than: Policy) -> bool:
    """Likewise for rules about the whole answer."""
    return all(
        any(
            _covers(mine, rule) and _ends(asked, mine.then)[0] >= _ends(than, rule.then)[0]
            for mine in asked.answer
        )
        for rule in than.answer
        if _acts(than, rule)
    )


def _wider(mine: Condition, other: Condition) -> bool:
    """Whether `mine` holds wherever `other` does, key by key."""
    return all(_allows(getattr(mine, one.name), getattr(other, one.name)) for one in fields(mine))


def _allows(mine: object, other: object) -> bool:
    if isinstance(mine, Range) and isinstance(other, Range):
        return mine.includes(other)
    if mine in (None, ()) or mine == other:
        return True
    if not isinstance(mine, tuple) or not isinstance(other, tuple) or not other:
        return False
    # Names and labels are alternatives, of which one has to hold; of the ranges by what is counted all have to.
    return all(isinstance(one, str) for one in mine) and set(other) <= set(mine)


def _fallbacks(asked: Policy, than: Policy) -> bool:
    """Where nothing was checked or found, whether the calls of tools are, and what passes beside the answer."""
    pairs = zip(asked.fallbacks, than.fallbacks, strict=True)
    told = all(_force(asked, mine) >= _force(than, other) for mine, other in pairs)
    beside = asked.withholds_beside or not than.withholds_beside
    return told and beside and (than.tools == "pass" or than.shadow or asked.tools == "check")


def _trusts(asked: Policy, than: Policy) -> bool:
    """No source is left out, and what comes with the request stands before no source that stood before it."""
    if set(than.sources) - set(asked.sources) - {Source.REQUEST}:
        return False
    setting = than.setting is None or asked.setting is than.setting
    return setting and _before_request(asked) >= _before_request(than)


def _before_request(policy: Policy) -> frozenset[Source]:
    sources = policy.sources
    at = sources.index(Source.REQUEST) if Source.REQUEST in sources else len(sources)
    return frozenset(sources[:at])


def _records(asked: Policy, than: Policy) -> bool:
    mine, other = asked.audit, than.audit
    return (
        _STORES.index(mine.store) >= _STORES.index(other.store)
        and (mine.redact or not other.redact)
        and (mine.on_failure == "closed" or other.on_failure == "continue")
        and (not mine.retention_days or 0 < other.retention_days <= mine.retention_days)
    )


_MEASURES: Mapping[str, Callable[[Policy, Policy], bool]] = {
    "it holds text back less long": _waits,
    "it does less about some claims": _claims,
    "it does less about some answers as a whole": _answers,
    "it does less where nothing was checked or found, about tool calls, or about text beside the answer": _fallbacks,
    "it uses fewer sources, or trusts the request more": _trusts,
    "it records less": _records,
}
