"""Evaluates a stage for a state: which sprites stand where. `scene.js` does the same in a page, and tests compare the two."""
