"""Faults planted in the text of a module."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pytest
from attrs import evolve

from rulewright.base.records import frozen
from rulewright.rules.machine.machine_game import GameText
from rulewright.subset.lowering import Source


@frozen
class Fault:
    """A piece of the text of a module, found once, and what stands there instead."""

    name: str
    module: ModuleType
    text: str
    instead: str

    @property
    def changed(self) -> str:
        source = inspect.getsource(self.module)
        assert source.count(self.text) == 1, f"`{self.text}` stands there {source.count(self.text)} times"
        return source.replace(self.text, self.instead)


def plant_in_kernels(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have kernels lowered with the fault."""
    own, changed, sources = inspect.getsource(fault.module), fault.changed, GameText.sources

    def with_the_fault(text: GameText, kernels: Sequence[ModuleType]) -> list[Source]:
        return [evolve(source, text=changed) if source.text == own else source for source in sources(text, kernels)]

    monkeypatch.setattr(GameText, "sources", with_the_fault)


def changed_module(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The names of a module with the fault, beside the module itself."""
    name = f"{fault.module.__name__}_with_a_fault"
    module = ModuleType(name)
    module.__package__ = fault.module.__package__
    monkeypatch.setitem(sys.modules, name, module)
    exec(compile(fault.changed, name, "exec"), module.__dict__)
    return module.__dict__
