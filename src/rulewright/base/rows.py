"""Enumerations as tables: what is known of each member stands in its row."""

from __future__ import annotations

from enum import Enum
from typing import Self


class Row(Enum):
    """A member of a table. Its value is the first entry of its row; the others are the annotated attributes of its class, in
    order."""

    def __new__(cls, value: str, *others: object) -> Self:
        """A member."""
        member = object.__new__(cls)
        member._value_ = value
        for name, other in zip(cls.__annotations__, others, strict=True):
            setattr(member, name, other)
        return member
