"""Rulewright: rules of tile and board games as data, played and proved from one text."""

__version__ = "0.1.0"
