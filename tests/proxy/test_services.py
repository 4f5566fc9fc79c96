"""What the routes need is opened once, from settings, or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardrail.errors import BadRequest, ConfigError, PolicyError
from guardrail.verifier import Verifier
from policies.policy import PRESETS
from policies.terms import Request
from proxy.access.keys import Key
from proxy.services import Services
from proxy.settings import Settings
from tests.fakes import FakeVerifier


def services(tmp_path: Path, **given: object) -> Services:
    settings = Settings(**{"audit": str(tmp_path / "a.db"), **given})  # type: ignore[arg-type]
    return Services.open(settings, verifier=FakeVerifier())  # type: ignore[arg-type]


def test_policies_are_tried_in_order(tmp_path: Path) -> None:
    """The first policy whose match holds is taken; none matching means nothing is checked."""
    file = tmp_path / "p.yaml"
    file.write_text(
        "name: big\nextends: block\nmatch: {model: 'gpt-*'}\n---\nname: demo\nextends: annotate\nmatch: {model: demo}\n"
    )
    opened = services(tmp_path, policy=str(file))
    assert opened.choice.policy(Request(model="gpt-5"), None).name == "big"  # type: ignore[union-attr]
    assert opened.choice.policy(Request(model="demo"), None).name == "demo"  # type: ignore[union-attr]
    assert opened.choice.policy(Request(model="other"), None) is None
    assert opened.choice.policy(Request(model="other"), "revise").name == "revise"  # type: ignore[union-attr]
    opened.close()


def test_only_allowed_policies_can_be_asked_for(tmp_path: Path) -> None:
    """A request cannot choose what the operator did not allow, nor switch checking off."""
    opened = services(tmp_path, allow=("shadow",))
    assert opened.choice.policy(Request(), "shadow").name == "shadow"  # type: ignore[union-attr]
    for name in ("block", "off", "../x"):
        with pytest.raises(BadRequest):
            opened.choice.policy(Request(), name)
    opened.close()


def test_wrong_settings_are_refused(tmp_path: Path) -> None:
    """Policies and upstreams that cannot be used raise when they are opened."""
    with pytest.raises(PolicyError):
        services(tmp_path, policy="nonsense")
    with pytest.raises(ConfigError):
        services(tmp_path, upstream="nonsense")


@pytest.mark.parametrize(
    ("running", "asked"),
    [
        ("block", ("shadow", "annotate", "attach", "revise", "off")),
        ("revise", ("shadow", "annotate", "attach", "off")),
        ("annotate", ("off",)),
    ],
)
def test_a_request_cannot_weaken_the_policy_that_runs(
    tmp_path: Path, running: str, asked: tuple[str, ...]
) -> None:
    """What is at least as strict may be asked for, anything else is refused, whether the request is read or not."""
    opened = services(tmp_path, policy=running)
    for name in (*PRESETS, "off"):
        for choose in (opened.choice.policy, opened.choice.strictest_possible_policy):
            if name in asked:
                with pytest.raises(BadRequest):
                    choose(Request(), name)
            else:
                assert choose(Request(), name).name == name  # type: ignore[union-attr]
    opened.close()


def test_a_refusal_says_why(tmp_path: Path) -> None:
    """What the policy does less, that the operator does not allow it, or that there is none."""
    file = tmp_path / "p.yaml"
    file.write_text("name: ours\nextends: annotate\naudit: {store: full}\n")
    opened = services(tmp_path, policy=str(file))
    with pytest.raises(
        BadRequest, match="'block' cannot be requested: compared with 'ours', it records less; allowed: ours"
    ):
        opened.choice.policy(Request(), "block")
    with pytest.raises(BadRequest, match="there is no such policy"):
        opened.choice.policy(Request(), "strange")
    opened.close()
    opened = services(tmp_path, policy="annotate", allow=("revise",))
    with pytest.raises(BadRequest, match="'block' cannot be requested: the server does not allow it"):
        opened.choice.policy(Request(), "block")
    opened.close()


def test_a_policy_of_the_same_file_is_no_way_out(tmp_path: Path) -> None:
    """The policy for others may not be asked for by whom a stricter one is for."""
    file = tmp_path / "p.yaml"
    file.write_text("name: strict\nextends: block\nmatch: {key: k}\n---\nname: rest\nextends: annotate\n")
    opened = services(tmp_path, policy=str(file))
    with pytest.raises(BadRequest):
        opened.choice.policy(Request(key="k"), "rest")
    assert opened.choice.policy(Request(), "strict").name == "strict"  # type: ignore[union-attr]
    opened.close()


def test_the_operator_may_allow_by_name(tmp_path: Path) -> None:
    """A preset, a file, a policy of its own file, and `off`; what is not named is refused then."""
    file, own = tmp_path / "mild.yaml", tmp_path / "own.yaml"
    file.write_text("name: mild\nextends: annotate\n")
    own.write_text("name: strict\nextends: block\nmatch: {key: k}\n---\nname: rest\nextends: annotate\n")
    opened = services(tmp_path, policy=str(own), allow=(str(file), "rest", "off", "shadow"))
    for name in ("mild", "rest", "shadow", "strict"):
        assert opened.choice.policy(Request(key="k"), name).name == name  # type: ignore[union-attr]
    assert opened.choice.policy(Request(key="k"), "off") is None
    with pytest.raises(BadRequest):
        opened.choice.policy(Request(key="k"), "revise")
    opened.close()
    with pytest.raises(PolicyError):
        services(tmp_path, allow=("nonsense",))


def test_a_text_of_the_clients_own_may_be_read_under_any_policy(tmp_path: Path) -> None:
    """Nothing is kept from anybody there; a key keeps its own policies all the same."""
    opened = services(tmp_path, policy="block")
    assert opened.choice.policy_of_text(Request(), "shadow").name == "shadow"  # type: ignore[union-attr]
    key = Key("k", "alice", b"", policies=("block",))
    with pytest.raises(BadRequest):
        opened.choice.policy_of_text(Request(), "shadow", key=key)
    opened.close()


def test_a_policy_on_a_class_that_the_graph_has_not_keeps_the_server_from_starting(
    tmp_path: Path, verifier: Verifier, caplog: pytest.LogCaptureFixture
) -> None:
    """A rule that can never hold would look like one that guards; a name that fits stands for the graph's id."""
    path = tmp_path / "p.yaml"
    rule = "extends: block\nclaims:\n- {when: {label: contradictory, entity_type: %s}, then: attach}\n"

    def opened() -> Services:
        settings = Settings(audit=str(tmp_path / "audit.db"), policy=str(path))
        return Services.open(settings, verifier=verifier)

    path.write_text(rule % "cities")
    with pytest.raises(PolicyError, match=r"did you mean city \(Q515\)"):
        opened()
    path.write_text(rule % "city")
    services = opened()
    assert services.choice.policies[0].claims[0].when.entity_type == ("Q515",)
    assert "`attach` is milder than `block`" in caplog.text
    services.close()
