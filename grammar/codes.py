"""The registry of diagnostics: every code of every layer, with its title. `explanations/` has a page for each."""

from __future__ import annotations

from rulewright.base.records import frozen


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
        # Files of text
        Code(25, "bytes that are not UTF-8"),
        Code(26, "not a regular file"),
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
        # Linking
        Code(100, "module that does not exist"),
        Code(101, "modules that extend each other"),
        Code(102, "name defined twice"),
        Code(103, "change of something that does not exist"),
        Code(104, "conflict between modules"),
        Code(105, "change that does not fit"),
        Code(109, "need that nothing meets"),
        Code(110, "unknown name"),
        Code(111, "unknown function"),
        Code(112, "unknown procedure"),
        Code(113, "procedure that runs itself"),
        Code(114, "unknown action"),
        Code(115, "definition that comes back to itself"),
        Code(116, "need that something else meets"),
        Code(120, "neither terrain nor marker"),
        Code(121, "unknown side"),
        Code(122, "table with a gap"),
        Code(123, "table cell that is not a number"),
        Code(124, "row for something unknown"),
        Code(125, "unknown type"),
        Code(126, "unknown index"),
        Code(127, "range without numbers"),
        Code(130, "game without a flow"),
        Code(131, "ranks with a gap or an overlap"),
        Code(132, "notation that does not name the parameters"),
        Code(133, "number of players that no game has"),
        Code(134, "more tiles than a box can hold"),
        # Modules and files
        Code(106, "no such module"),
        Code(107, "two files for one module"),
        Code(108, "module outside of the project"),
        # Types
        Code(200, "value of the wrong type"),
        Code(201, "single value where a set is needed"),
        Code(202, "space that cannot be told"),
        Code(203, "missing or needless index"),
        Code(204, "wrong number of arguments"),
        Code(205, "space without tiles"),
        Code(206, "not a zone"),
        Code(207, "tile that leaves no zone"),
        Code(208, "assignment to something that is no variable"),
        Code(209, "parameter that may be anything"),
        Code(210, "parameter with infinitely many values"),
        Code(211, "set where one value is needed"),
        Code(212, "loop of the flow over what changes"),
        Code(213, "rank that depends on more than the score"),
        Code(214, "parameter that players cannot name"),
        Code(250, "number of players that the game is not for"),
        Code(251, "space that cannot be"),
        Code(252, "rules that grow too large"),
        # Games that make no sense
        Code(260, "requirement that never holds"),
        Code(261, "infinitely many cells"),
        Code(262, "repetition without a choice or an end"),
        Code(263, "exceptions that clash on a tile"),
        Code(264, "action that is never offered"),
        Code(265, "choice that may go on for ever"),
        Code(266, "exceptions that clash in a position"),
        Code(267, "exceptions that might clash"),
        # Positions
        Code(300, "number of players that the game is not for"),
        Code(301, "drawing of an unknown space"),
        Code(302, "rows of a drawing that do not fit together"),
        Code(303, "position larger than its space"),
        Code(304, "drawing that its space does not have"),
        Code(305, "unknown tile"),
        Code(306, "player who is not in the game"),
        Code(307, "piece that the game does not have"),
        Code(310, "unknown setting"),
        Code(311, "setting of the wrong thing"),
        Code(312, "value of the wrong kind"),
        Code(313, "number out of range"),
        Code(314, "cell that the space does not have"),
        Code(315, "part of a position given twice"),
        Code(320, "more tiles than the box holds"),
        Code(321, "position that breaks an invariant"),
        Code(325, "start at an unknown point"),
        Code(330, "horizon of an unknown point"),
        Code(331, "question about an end that never comes"),
        Code(332, "value without a best"),
        # Plans, saved games, the catalogue
        Code(335, "action of a plan that is not legal"),
        Code(336, "plan longer than the game"),
        Code(337, "plan that a puzzle judges otherwise"),
        Code(338, "lines of play that a puzzle counts otherwise"),
        Code(340, "file that does not begin with its play"),
        Code(341, "line that cannot stand in a play"),
        Code(342, "play that does not say how it began"),
        Code(343, "beginning of a play given twice"),
        Code(344, "action of a player whose turn it is not"),
        Code(345, "recorded score that differs"),
        Code(346, "no such puzzle"),
        Code(347, "two files for one puzzle"),
        Code(348, "puzzle outside of the project"),
        # Moves and faults of the rules
        Code(350, "unknown action in a move"),
        Code(351, "argument that is no such thing"),
        Code(352, "move that is not legal"),
        Code(360, "exceptions that clash"),
        Code(361, "value out of range"),
        Code(362, "tile put where it cannot stand"),
        Code(363, "tile taken from where it is not"),
        Code(364, "flow without an end"),
        Code(365, "change of something that is not there"),
    )
}
