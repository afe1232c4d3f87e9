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
#book { display: flex; gap: .5rem; align-items: flex-start; margin: .5rem 0; }
#book details { flex: 0 1 auto; min-width: 0; }
#book summary { padding: .4rem 0; }
#list { padding-left: 2rem; max-height: 60vh; overflow-y: auto; margin: 0; }
#list button { border-color: transparent; padding: .125rem .5rem; text-align: left; }
#list button[aria-current] { border-color: var(--ink); font-weight: bold; }
#board { max-width: none; }
#board svg { width: 100%; max-width: min(100%, calc(var(--wide) * 1.75px)); max-height: 78vh; }
#shapes { height: 0; }
[data-thing] { cursor: default; touch-action: manipulation; }
[data-thing].lit { cursor: pointer; outline: 2px solid color-mix(in srgb, var(--ink) 60%, transparent); outline-offset: -3px; }
[data-thing]:hover:not(.lit) { outline: none; }
[data-thing]:focus-visible { outline: 3px solid #0072b2; }
[data-thing].reason { outline: 3px dashed #d55e00; outline-offset: -3px; }
[data-thing].selected { outline: 3px solid #d55e00; }
@media (pointer: coarse) { .controls button, #menu button, #all button { min-height: 2.75rem; } }
@media (max-width: 40rem) {
  main { display: block; }
  #board.wide svg { width: auto; max-width: none; max-height: none; }
  .controls { position: sticky; bottom: 0; z-index: 1; background: var(--paper); padding: .375rem 0; }
}
"""
