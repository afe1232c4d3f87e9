"""A project as texts, to be linked where its folder is not: in another process, on another machine."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rulewright.base.diagnostics import RulesError
from rulewright.base.input_files import is_within, read_text
from rulewright.base.limits import Limits
from rulewright.base.records import frozen
from rulewright.rules.linking.project import SHIPPED, Combination, Project

Root = str | Path
"""A module by its name where it ships, else by the path that its file has where it comes from."""


@frozen
class ProjectTexts:
    """The modules of a project that do not ship, each with its path."""

    folder: Path
    limits: Limits
    named: tuple[Path, ...]
    texts: tuple[tuple[Path, str], ...]

    @classmethod
    def of(cls, project: Project, combinations: Iterable[Combination] = ()) -> ProjectTexts:
        """The texts of a project as they are now, and of modules that were combined in another.

        What cannot be read is left out: whoever needs it has that error before.
        """
        paths = [path for found in project.found.values() for path in found]
        paths += [Path(module.header.span.source) for one in combinations for module in one.family.modules]
        texts: dict[Path, str] = {}
        for path in dict.fromkeys((*paths, *project.named)):
            if not is_within(path, SHIPPED):
                try:
                    texts[path] = read_text(path, project.limits)
                except (OSError, RulesError):
                    continue
        return cls(project.folder, project.limits, project.named, tuple(texts.items()))

    def opened(self) -> Project:
        """The project; it reads no file but those that ship."""
        return Project.of_texts(self.folder, self.limits, self.named, dict(self.texts))


def roots_of(combination: Combination) -> tuple[Root, ...]:
    """The modules asked for."""
    paths = {module.header.name: Path(module.header.span.source) for module in combination.family.modules}
    return tuple(name if is_within(paths[name], SHIPPED) else paths[name] for name in combination.roots)
