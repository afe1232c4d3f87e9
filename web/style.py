"""The style of a page that plays, beside that of all pages."""

from __future__ import annotations

STYLE = r"""
#question { font-weight: bold; font-size: 1.125rem; margin: .5rem 0; }
#text { margin: .5rem 0; }
.aside { flex: 1 1 18rem; min-width: 0; }
.controls { flex-wrap: wrap; }
#menu, #all p { display: flex; flex-wrap: wrap; gap: .375rem; margin: .5rem 0; }
#state, #end { margin: .5rem 0; min-height: 1.5rem; }
#end { font-weight: bold; }
#about { min-height: 4rem; }
#line { padding-left: 2rem; margin: .5rem 0; }
#line button { border-color: transparent; padding: .125rem .5rem; }
#line button[aria-current] { border-color: var(--ink); font-weight: bold; }
#line .other { color: var(--faint); }
#list { padding-left: 2rem; }
#list button { border-color: transparent; padding: .125rem .5rem; text-align: left; }
#list button[aria-current] { border-color: var(--ink); font-weight: bold; }
[data-thing] { cursor: default; touch-action: manipulation; }
[data-thing].lit { cursor: pointer; }
[data-thing]:hover { outline: none; }
[data-thing]:focus-visible { outline: 3px solid #0072b2; }
[data-thing].selected { outline: 3px solid #d55e00; }
@media (pointer: coarse) { .controls button, #menu button, #all button { min-height: 2.75rem; } }
@media (max-width: 40rem) {
  main { display: block; }
  .controls { position: sticky; bottom: 0; z-index: 1; background: var(--paper); padding: .375rem 0; }
}
"""
