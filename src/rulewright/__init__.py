"""Rulewright: rules of tile and board games as data, played and proved from one text."""

import os.path

__version__ = "0.2.0"

# Where git may not make links (on Windows), it writes text files in their place; then the rooms are at the top of the clone.
if os.path.isfile(os.path.join(__path__[0], "cli")):
    __path__.append(os.path.dirname(os.path.dirname(__path__[0])))
