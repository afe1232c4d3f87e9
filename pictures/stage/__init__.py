"""Stages: all that a picture of any state of a game needs to know of the game, as data. `scene.js` reads the same data."""
