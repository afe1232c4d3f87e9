"""Mangled messages to the language server and the studio: a few in the quick suite, twenty thousand in the campaign."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.studio.small_game import write_game
from tests.studio.studio_process import Studio, running_studio

from .editor_messages import initialize, mangle, project, server_of, sound_messages
from .mangled import mangled
from .page_messages import mangle_language, mangle_page

HOUR = 3600.0
TO_EDITOR, TO_PAGE, THROUGH_PAGE = 12_000, 4_000, 4_000


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    write_game(project(tmp_path))
    with running_studio(tmp_path.resolve()) as running:
        yield running


def to_editor(folder: Path, cases: range) -> None:
    with server_of(project(folder), seconds=HOUR) as talk:
        mangle(talk, cases)
        assert talk.faults == []
        assert talk.refusals > len(cases) / 4


def to_page(studio: Studio, cases: range) -> None:
    talk = mangle_page(studio, cases)
    assert talk.faults == []
    assert talk.refusals > len(cases) / 4


def through_page(studio: Studio, folder: Path, cases: range) -> None:
    talk = mangle_language(studio, folder, sound_messages(folder), cases)
    assert talk.faults == []
    assert talk.refusals > len(cases) / 4


def beginnings(folder: Path, cases: range) -> int:
    """Mangled first messages; how many servers they began."""
    folder = project(folder)
    begun = number = 0
    while number < len(cases):
        with server_of(folder, initialized=False) as talk:
            while number < len(cases):
                chance = random.Random(cases[number])
                number += 1
                found = talk.ask("initialize", mangled(initialize(folder), chance))
                assert talk.faults == []
                if "capabilities" in found:
                    talk.tell("initialized", {})
                    talk.ask("rulewright/idle", {})
                    begun += 1
                    break
                assert found["code"] in (-32600, -32602)
    return begun


def test_a_few_to_the_language_server(tmp_path: Path) -> None:
    to_editor(tmp_path, range(300))


def test_a_few_to_the_studio(studio: Studio, tmp_path: Path) -> None:
    to_page(studio, range(20))
    through_page(studio, tmp_path.resolve(), range(60))


@pytest.mark.campaign
def test_many_to_the_language_server(tmp_path: Path) -> None:
    to_editor(tmp_path, range(TO_EDITOR))


@pytest.mark.campaign
def test_many_beginnings(tmp_path: Path) -> None:
    assert beginnings(tmp_path, range(200)) > 20


@pytest.mark.campaign
def test_many_to_the_studio(studio: Studio) -> None:
    to_page(studio, range(TO_PAGE))


@pytest.mark.campaign
def test_many_through_the_studio(studio: Studio, tmp_path: Path) -> None:
    through_page(studio, tmp_path.resolve(), range(THROUGH_PAGE))
