"""The registry of diagnostics: every code of every layer, with its title. `explanations/` has a page for each."""

from __future__ import annotations

from attrs import frozen


@frozen
class Code:
    """`RW011`: its number and what it is about."""

    number: int
    title: str

    def __str__(self) -> str:
        return f"RW{self.number:03}"


CODES = {
    str(code): code
    for code in (
        # Text and syntax
        Code(1, "tab"),
        Code(2, "invisible character"),
        Code(3, "text without a closing quotation mark"),
        Code(4, "indentation that fits no block"),
        Code(5, "block without lines"),
        Code(6, "character that is not used in the language"),
        Code(7, "file that does not begin with its module or puzzle"),
        Code(8, "second module or puzzle in a file"),
        Code(9, "unknown item"),
        Code(10, "line that cannot stand in its block"),
        Code(11, "word or sign that does not belong here"),
        Code(12, "line that ends too early"),
        Code(13, "bracket without its partner"),
        Code(14, "comparison without parentheses"),
        Code(15, "word of the language used as a name"),
        Code(16, "something said twice"),
        Code(17, "label for more than one statement"),
        Code(18, "`else` without `if`"),
        Code(19, "table row of the wrong length"),
        Code(20, "table with two keys"),
        Code(21, "definition without a default"),
        Code(22, "puzzle without rules"),
        Code(23, "origin without a drawing"),
        Code(24, "malformed cell of a drawing"),
        # Limits
        Code(50, "file too large"),
        Code(51, "line too long"),
        Code(52, "nesting too deep"),
        Code(53, "too many parts"),
        Code(54, "number too long"),
        Code(55, "board too large"),
        Code(56, "too many kinds of tiles"),
        Code(57, "chain of `extends` too long"),
        Code(58, "too many files"),
        Code(59, "too many steps of evaluation"),
    )
}
