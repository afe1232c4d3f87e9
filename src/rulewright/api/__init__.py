"""The library: games, puzzles, states, actions, answers. `import rulewright` gives these names; each has a module here."""
