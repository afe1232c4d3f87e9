"""`rulewright import` and `rulewright export`: collections of positions."""

from __future__ import annotations

from pathlib import Path

import pytest

LEVELS = "; First room\n#####\n#@$.#\n#####\n\n####\n#+ #\n####\n\n####\n#+ #\n####\nTitle: First room\n"
SOKOBAN = ("--as", "classics.sokoban")


@pytest.fixture(autouse=True)
def _levels(folder: Path) -> None:
    (folder / "mine.xsb").write_text(LEVELS)


def test_a_collection_becomes_a_folder_and_is_exported_again(call, folder: Path) -> None:
    done = call("import", "mine.xsb", *SOKOBAN, "--goal", "fewest moves until solved", "-o", "rooms")
    assert done.status == 0, done
    files = sorted((folder / "rooms").iterdir())
    assert [path.stem for path in files] == ["first_room", "first_room_3", "mine_2"]
    assert call("check", "rooms").status == 0
    assert "ask: fewest moves until solved" in (folder / "rooms" / "mine_2.puzzle").read_text()
    assert call("export", "rooms/first_room.puzzle").out == "; First room\n#####\n#@$.#\n#####\n"


def test_no_position_takes_the_name_of_another(call, folder: Path) -> None:
    titles = ("One", "One 3", "One")  # the third would be `one_3`, too
    (folder / "mine.xsb").write_text("\n\n".join(f"; {title}\n#####\n#@$.#\n#####" for title in titles))
    assert call("import", "mine.xsb", *SOKOBAN, "-o", "rooms").status == 0
    assert sorted(path.stem for path in (folder / "rooms").iterdir()) == ["one", "one_3", "one_3_3"]


def test_a_single_position_is_printed(call, folder: Path) -> None:
    (folder / "mine.xsb").write_text("#####\n#@$.#\n#####\n")
    done = call("import", "mine.xsb", *SOKOBAN)
    assert done.status == 0 and done.out.startswith("puzzle mine:\n")
    (folder / "printed.puzzle").write_text(done.out)
    assert call("export", "printed.puzzle", "--as", "xsb").out == "#####\n#@$.#\n#####\n"


def test_the_suffix_of_a_file_chooses_among_formats(call, folder: Path) -> None:
    board = "4k3/8/8/8/8/8/8/R3K3 w Q -"
    (folder / "end.EPD").write_text(f"{board} bm Ra8\n")
    (folder / "end.fen").write_text(f"{board} 0 1\n")
    (folder / "end.txt").write_text(f"{board} 0 1\n")
    chess = ("--as", "classics.chess")
    assert call("import", "end.EPD", *chess).status == call("import", "end.fen", *chess).status == 0
    unclear = call("import", "end.txt", *chess)
    assert unclear.status == 2 and "name one of them by `--format`: fen, epd" in unclear.err
    assert call("import", "end.txt", *chess, "--format", "fen").status == 0


def test_nothing_is_written_if_one_level_is_damaged(call, folder: Path) -> None:
    (folder / "mine.xsb").write_text(LEVELS.replace("+ #", "+x#", 1))
    done = call("import", "mine.xsb", *SOKOBAN, "-o", "rooms")
    assert done.status == 2 and "mine.xsb:7:3" in done.err and "`x` is no character" in done.err
    assert not (folder / "rooms").exists()


def test_no_file_is_replaced(call, folder: Path) -> None:
    (folder / "rooms").mkdir()
    (folder / "rooms" / "mine_2.puzzle").write_text("mine")
    done = call("import", "mine.xsb", *SOKOBAN, "-o", "rooms")
    assert done.status == 2 and "is there already" in done.err
    assert [path.name for path in (folder / "rooms").iterdir()] == ["mine_2.puzzle"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("import", "mine.xsb", *SOKOBAN), "has 3 positions"),
        (("import", "none.xsb", *SOKOBAN), "none.xsb"),
        (("import", "mine.xsb", "--as", "classics.go"), "no format"),
        (("import", "mine.xsb", *SOKOBAN, "--format", "xbs"), "did you mean `xsb`"),
        (("import", "mine.xsb", *SOKOBAN, "-o", "mine.xsb"), "mine.xsb"),
        (("import", "shoals.rules", "--as", "classics.rush_hour"), "shoals.rules:1:1"),
        (("export", "sokoban_first_room", "--as", "fen"), "no format `fen`"),
        (("export", "narrows"), "no format"),
    ],
)
def test_a_wrong_call_is_explained(arguments: tuple[str, ...], words: str, call) -> None:
    done = call(*arguments)
    assert done.status == 2 and words in done.err and "Traceback" not in done.err, done
