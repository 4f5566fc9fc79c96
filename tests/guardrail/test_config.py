"""Where state lives."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardrail.config import (
    audit_file,
    corpus_is_there,
    corpus_place,
    english_only,
    home,
    judging_model,
    knowledge_file,
    language_pipeline,
    spacy_pipeline,
    web_search,
)
from guardrail.errors import ConfigError


def test_guardrail_home_is_made_and_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All state goes under $GUARDRAIL_HOME, which is made when it is not there."""
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path / "a" / "b"))
    assert home() == tmp_path / "a" / "b"
    assert home().is_dir()
    assert (knowledge_file().name, audit_file().name) == ("knowledge.db", "audit.db")
    assert knowledge_file().parent == audit_file().parent == Path(corpus_place()).parent == home()


def test_a_home_that_is_a_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the variable and the path."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path / "file"))
    with pytest.raises(ConfigError, match=r"GUARDRAIL_HOME.*file"):
        home()


def test_no_recognizer_unless_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """One variable for library, command line and proxy."""
    monkeypatch.delenv("GUARDRAIL_RECOGNIZER", raising=False)
    assert spacy_pipeline() == ""
    monkeypatch.setenv("GUARDRAIL_RECOGNIZER", "en_core_web_sm")
    assert spacy_pipeline() == "en_core_web_sm"


def test_the_web_is_off_unless_an_endpoint_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable, no web; with one, kind, key and leave for private addresses are read beside it."""
    monkeypatch.delenv("GUARDRAIL_WEB_URL", raising=False)
    assert web_search() is None
    monkeypatch.setenv("GUARDRAIL_WEB_URL", "https://search.example")
    found = web_search()
    assert found is not None
    assert (found.kind, found.api_key, found.private) == ("searxng", "", False)
    monkeypatch.setenv("GUARDRAIL_WEB_KIND", "serper")
    monkeypatch.setenv("GUARDRAIL_WEB_KEY", "k")
    monkeypatch.setenv("GUARDRAIL_WEB_PRIVATE", "1")
    found = web_search()
    assert found is not None
    assert (found.kind, found.api_key, found.private) == ("serper", "k", True)


def test_an_unknown_kind_of_search_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A misspelt kind is an error at start."""
    monkeypatch.setenv("GUARDRAIL_WEB_URL", "https://search.example")
    monkeypatch.setenv("GUARDRAIL_WEB_KIND", "google")
    with pytest.raises(ConfigError, match="GUARDRAIL_WEB_KIND"):
        web_search()


def test_the_corpus_is_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """`$GUARDRAIL_CORPUS` names a file or the address of a database."""
    monkeypatch.setenv("GUARDRAIL_CORPUS", "postgresql://guard@db.example/facts")
    assert corpus_place() == "postgresql://guard@db.example/facts"


def test_a_corpus_that_is_named_has_to_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody names one, or it is a database, none need be."""
    monkeypatch.delenv("GUARDRAIL_CORPUS", raising=False)
    corpus_is_there()
    monkeypatch.setenv("GUARDRAIL_CORPUS", "postgresql://guard@db.example/facts")
    corpus_is_there()
    place = tmp_path / "corpus.db"
    monkeypatch.setenv("GUARDRAIL_CORPUS", str(place))
    with pytest.raises(ConfigError, match=f"there is no file {place}"):
        corpus_is_there()
    place.touch()
    corpus_is_there()


def test_other_languages_are_judged_only_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """English alone by default; a word that says neither is refused."""
    monkeypatch.delenv("GUARDRAIL_LANGUAGES", raising=False)
    assert english_only()
    monkeypatch.setenv("GUARDRAIL_LANGUAGES", "any")
    assert not english_only()
    monkeypatch.setenv("GUARDRAIL_LANGUAGES", "de")
    with pytest.raises(ConfigError, match="GUARDRAIL_LANGUAGES"):
        english_only()


def test_pipeline_that_reads_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pipeline that ships reads sentences unless another one is named."""
    monkeypatch.delenv("GUARDRAIL_PIPELINE", raising=False)
    assert language_pipeline() == ""
    monkeypatch.setenv("GUARDRAIL_PIPELINE", "some_pipeline")
    assert language_pipeline() == "some_pipeline"


def test_the_model_is_the_shipped_one_unless_another_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """`$GUARDRAIL_MODEL` and the key of its server, empty by default."""
    monkeypatch.delenv("GUARDRAIL_MODEL", raising=False)
    monkeypatch.delenv("GUARDRAIL_MODEL_KEY", raising=False)
    assert judging_model() == ("", "")
    monkeypatch.setenv("GUARDRAIL_MODEL", "tei+http://127.0.0.1:80")
    monkeypatch.setenv("GUARDRAIL_MODEL_KEY", "k")
    assert judging_model() == ("tei+http://127.0.0.1:80", "k")
