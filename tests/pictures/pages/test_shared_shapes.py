"""What repeats is drawn once, and put back in its place it is what was there."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rulewright.pictures.pages.shared_shapes import share
from rulewright.pictures.svg import Attribute, Element, Paint, Tag, drawing, group, path, to_text

LINE = st.sampled_from([path("M0 0" + "L1 1" * length, Paint("#ffffff")) for length in (1, 20, 40)])
PARTS = st.recursive(
    LINE,
    lambda inner: st.builds(
        group,
        st.lists(inner, max_size=3),
        st.just((0.0, 0.0)),
        st.sampled_from(["", "a title"]),
        st.sampled_from(["", "sea 1"]),
    ),
    max_leaves=12,
)


def put_back(element: Element, defined: dict[str, Element]) -> Element:
    """An element with what it refers to in its place."""
    if element.tag is Tag.USE:
        found = defined[element.attributes[Attribute.REFERENCE][1:]]
        bare = {name: value for name, value in found.attributes.items() if name is not Attribute.ID}
        return put_back(Element(found.tag, bare, found.children, found.text), defined)
    return Element(element.tag, element.attributes, tuple(put_back(child, defined) for child in element.children), element.text)


def things(element: Element) -> int:
    return (Attribute.THING in element.attributes) + sum(map(things, element.children))


@given(st.lists(PARTS, min_size=1, max_size=4))
def test_sharing_changes_no_picture(parts: list[Element]):
    pictures = [drawing((1, 1), (part,), "title", "") for part in parts]
    shapes, shared = share(pictures)
    defined = {one.attributes[Attribute.ID]: one for one in shapes.children[0].children}
    assert [to_text(put_back(one, defined)) for one in shared] == [to_text(one) for one in pictures]
    assert sum(map(things, shared)) == sum(map(things, pictures))


def test_what_repeats_is_drawn_once():
    long = path("M0 0" + "L1 1" * 50, Paint("#ffffff"))
    shapes, shared = share([drawing((1, 1), (group((long, long), title="twice"),), "one", "") for _ in range(9)])
    assert to_text(shapes).count("L1 1") == 50
    assert all("L1 1" not in to_text(one) for one in shared)
