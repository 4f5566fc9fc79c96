"""Which policy a request runs under: the operator's, or another one that it asks for by name and may have.

A client may ask for more than the operator's policy does, not for less, unless the operator allows a policy by its name. A key with
policies of its own has those and no others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from guardrail.errors import BadRequest
from policies.chosen import PolicySet, Watched
from policies.classes import Classes
from policies.policy import PRESETS, load
from policies.strictness import at_least, strictest, weaker
from policies.terms import Policy, Request
from proxy.access.keys import Key
from proxy.settings import OFF, Settings


@dataclass(frozen=True, slots=True)
class PolicyChoice:
    """The policies of this server, and which of them a request gets."""

    watched: Watched | None  # those that run, read again when their file changes; None: nothing is checked
    presets: Mapping[str, Policy]  # further policies by name
    named: frozenset[str] | None  # what of all may be asked for; None: what is at least as strict
    off: bool = False  # a request may ask for no check at all

    @classmethod
    def open(cls, settings: Settings, watched: Watched | None, classes: Classes) -> PolicyChoice:
        """With the presets, and the files that may be asked for. Raises PolicyError for one that cannot be used."""
        own = {policy.name for policy in watched.current.policies} if watched else set()
        asked = settings.allow or ()
        files = [load(one, classes) for one in asked if one not in {*PRESETS, *own, OFF}]
        named = None if settings.allow is None else frozenset((*asked, *(one.name for one in files)))
        presets = {name: load(name) for name in PRESETS} | {one.name: one for one in files}
        return cls(watched, presets, named, OFF in asked)

    @property
    def policies(self) -> tuple[Policy, ...]:
        """As their file says now, in the order in which they are tried; empty: nothing is checked."""
        return self.watched.current.policies if self.watched else ()

    @property
    def open_ended(self) -> str:
        """What is to be known where a request may match none of the policies that run; empty where none can."""
        return self.watched.current.open_ended if self.watched else ""

    @property
    def offered(self) -> Mapping[str, Policy]:
        """All that has a name here: the presets, what the operator allows besides, the policies that run."""
        return {**self.presets, **{policy.name: policy for policy in self.policies}}

    def allowed(self, running: Policy | None) -> Mapping[str, Policy]:
        """What a request may ask for by name where `running` would be carried out: that one, and what the operator allows by
        name or, where nothing is named, whatever is at least as strict.
        """

        def may(policy: Policy) -> bool:
            if self.named is not None and policy != running:
                return policy.name in self.named
            return running is None or at_least(policy, running)

        return {name: policy for name, policy in self.offered.items() if may(policy)}

    @property
    def askable(self) -> Mapping[str, Policy]:
        """What a request may ask for of which nothing is known."""
        return self.allowed(self._strictest_possible(Request()))

    def beside(self, request: Request) -> tuple[Policy, ...]:
        """The shadow policies that decide on a request's answer, too, and are recorded apart."""
        return self.watched.current.beside(request) if self.watched else ()

    def policy(
        self, request: Request, name: object, *, key: Key | None = None, others: Sequence[Request] = ()
    ) -> Policy | None:
        """The policy for a request: the one asked for, else the first that matches; None where nothing is to be checked.

        `others`: as what it might be seen, too; the strictest policy runs. A `key` with policies of its own has the first of
        them, and may ask for the others only. Raises BadRequest for a name that is not allowed, or is none.
        """
        current = self.watched.current if self.watched else PolicySet(())
        found = [active for one in (request, *others) if (active := current.active(one)) is not None]
        return self._asked(strictest(found) if found else None, name, key)

    def strictest_possible_policy(
        self, request: Request, name: object, *, key: Key | None = None
    ) -> Policy | None:
        """The policy for a request whose body is not read: the strictest of those that it may be for, whatever its model."""
        return self._asked(self._strictest_possible(request), name, key)

    def policy_of_text(self, request: Request, name: object, *, key: Key | None = None) -> Policy | None:
        """The policy for a text of the client's own, which nobody keeps from it: any, but for a key with its own."""
        if isinstance(name, str) and name in self.offered and not (key and key.policies):
            return self.offered[name]
        return self.policy(request, name, key=key)

    def _strictest_possible(self, request: Request) -> Policy | None:
        found = self.watched.current.possible(request) if self.watched else ()
        return strictest(found) if found else None

    def _asked(self, running: Policy | None, name: object, key: Key | None) -> Policy | None:
        if name is not None and not isinstance(name, str):
            raise BadRequest("policy must be a name", param="policy", code="unknown_policy")
        if key is not None and key.policies:
            return self._of_key(key, name or key.policies[0])
        if not name:
            return running
        if name == OFF and (self.off or not self.policies):
            return None
        return self._by_name(name, running)

    def _by_name(self, name: str, running: Policy | None) -> Policy:
        allowed = self.allowed(running)
        if name not in allowed:
            known = ", ".join(sorted(allowed))
            raise BadRequest(
                f"the policy {name!r} cannot be requested{self._why(name, running)}; allowed: {known}",
                param="x-guardrail-policy",
                code="unknown_policy",
            )
        return allowed[name]

    def _why(self, name: str, running: Policy | None) -> str:
        """Why a policy that there is may not be asked for."""
        policy = self.offered.get(name)
        if policy is None:
            return ": there is no such policy"
        if self.named is not None or running is None:
            return ": the server does not allow it"
        return f": compared with {running.name!r}, {weaker(policy, running)}"

    def _of_key(self, key: Key, name: str) -> Policy:
        if name not in key.policies:
            known = ", ".join(key.policies)
            raise BadRequest(
                f"this key may not request the policy {name!r}; allowed: {known}",
                param="x-guardrail-policy",
                code="unknown_policy",
            )
        found = self.offered.get(name)
        if found is None:
            # Never unchecked because the operator made the key for a policy that is not there (any more).
            message = f"the policy {name!r} of this key is not loaded"
            raise BadRequest(message, status=403, code="unknown_policy")
        return found
