"""A studio on a folder with a small game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .small_game import write_game
from .studio_process import Studio, running_studio


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the studio of a module of tests is of."""
    made = tmp_path_factory.mktemp("shelves").resolve()
    write_game(made)
    return made


@pytest.fixture(scope="module")
def studio(folder: Path) -> Iterator[Studio]:
    with running_studio(folder) as running:
        yield running
