"""The style of all pages."""

from __future__ import annotations

from rulewright.pictures.palette import DARK, LIGHT, Palette


def _colours(palette: Palette, line: str, gone: str, come: str) -> str:
    """The colours of the texts of a page, as custom properties."""
    return (
        f"color-scheme: {'dark' if palette.dark else 'light'}; --paper: {palette.paper}; --ink: {palette.ink}; "
        f"--faint: {palette.faint}; --line: {line}; --gone: {gone}; --come: {come};"
    )


_LIGHT, _DARK = _colours(LIGHT, "#c9c5bb", "#b3261e", "#006b4f"), _colours(DARK, "#3a4250", "#ff9a8a", "#5fd3a8")

STYLE = (
    rf"""
:root {{ {_LIGHT} }}
:root.dark {{ {_DARK} }}
@media screen and (prefers-color-scheme: dark) {{ :root {{ {_DARK} }} }}
"""
    + r"""
body { margin: 0 auto; max-width: 75rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; }
main { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start; }
.board { flex: 2 1 20rem; min-width: 0; }
.board section, .blocks { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; }
.board details { flex-basis: 100%; }
.picture { max-width: 100%; overflow-x: auto; }
.picture svg { display: block; max-width: 100%; height: auto; }
.beside { flex: 1 1 16rem; min-width: 0; }
.controls { display: flex; gap: .5rem; align-items: center; }
.controls input { flex: 1; min-width: 4rem; }
button { font: inherit; padding: .4rem .8rem; border: 1px solid var(--line); border-radius: .4rem;
  background: transparent; color: inherit; cursor: pointer; }
button:disabled { color: var(--faint); cursor: default; }
button:focus-visible, input:focus-visible, summary:focus-visible { outline: 3px solid #0072b2; outline-offset: 2px; }
li.here { font-weight: bold; }
li { cursor: pointer; }
[hidden] { display: none !important; }
svg[aria-hidden] { position: absolute; }
[data-thing] { cursor: help; pointer-events: all; }
[data-thing]:hover, [data-thing]:focus { filter: brightness(1.12); outline: 2px solid var(--ink); }
#about { min-height: 9rem; }
#about h2 { font-size: 1rem; margin: 0; }
#about ul { margin: .25rem 0; padding-left: 1.25rem; }
#about li { cursor: auto; }
#about li.may { list-style: "\2713  "; }
#about li.not { list-style: "\2717  "; }
main.wide { display: block; }
h2 { font-size: 1.25rem; }
h3 { font-size: 1rem; }
article { border-top: 1px solid var(--line); padding-top: .5rem; }
del { color: var(--gone); }
ins { color: var(--come); }
.pair p { flex: 1 1 18rem; margin: .25rem 0; font-family: monospace; }
.pair { display: flex; flex-wrap: wrap; gap: 1rem; }
.pair figure { flex: 1 1 18rem; min-width: 0; margin: 0; }
@media (max-width: 40rem) {
  .picture.wide svg { max-width: none; }
  .steps { position: sticky; bottom: 0; z-index: 1; background: var(--paper); }
  .steps p { margin: .5rem 0; }
  main:has(.steps) { display: block; }
  .beside { display: contents; }
}
"""
)
