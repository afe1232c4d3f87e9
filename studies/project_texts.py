"""A project as texts, for linking without its folder: in another process or on another machine."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rulewright.base.diagnostics import RulesError
from rulewright.base.input_files import is_within, read_text
from rulewright.base.limits import Limits
from rulewright.base.records import frozen
from rulewright.rules.linking.project import SHIPPED, Combination, Project

Root = str | Path
"""A library module by its name, any other by the path of its file in the original project."""


@frozen
class ProjectTexts:
    """The modules of a project outside the library, each with its path."""

    folder: Path
    limits: Limits
    named: tuple[Path, ...]
    texts: tuple[tuple[Path, str], ...]

    @classmethod
    def of(cls, project: Project, combinations: Iterable[Combination] = ()) -> ProjectTexts:
        """The current texts of a project, and of modules combined in another project.

        Unreadable files are left out: whoever needs one has already seen its error.
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
        """The project; it reads only library files."""
        return Project.of_texts(self.folder, self.limits, self.named, dict(self.texts))


def roots_of(combination: Combination) -> tuple[Root, ...]:
    """The modules asked for."""
    paths = {module.header.name: Path(module.header.span.source) for module in combination.family.modules}
    return tuple(name if is_within(paths[name], SHIPPED) else paths[name] for name in combination.roots)
