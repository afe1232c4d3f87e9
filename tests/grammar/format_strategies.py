"""Strategies for formats."""

from __future__ import annotations

from hypothesis import strategies as st

from rulewright.grammar.tree import declarations as f


def tuples(items: st.SearchStrategy, least: int = 0, most: int = 3) -> st.SearchStrategy:
    return st.lists(items, min_size=least, max_size=most).map(tuple)


def formats_of(plain: st.SearchStrategy[str], texts: st.SearchStrategy[str]) -> st.SearchStrategy[f.Format]:
    """Formats with these names and texts."""
    characters = st.sampled_from(["#", "$", " ", "K", "é", "."])
    things = st.builds(f.Thing, plain.filter(lambda name: name != "none"), st.integers(0, 4))
    words_of_fields = st.builds(f.Choice, texts, tuples(st.tuples(st.integers(0, 9), st.integers(0, 9)) | plain))
    return st.builds(
        f.Format,
        plain,
        plain,
        texts,
        st.none() | st.sampled_from(["", "/"]),
        st.booleans(),
        tuples(st.builds(f.Glyph, tuples(characters, 1), tuples(things))),
        st.none() | st.builds(f.Letters, texts, plain),
        tuples(
            st.builds(f.Field, plain, tuples(words_of_fields))
            | st.builds(f.Field, st.just(""), st.tuples(st.builds(f.Choice, texts)))
        ),
    ).filter(_has_lines)


def _has_lines(format: f.Format) -> bool:
    return bool(format.text or format.between is not None or format.runs or format.glyphs or format.letters or format.fields)
