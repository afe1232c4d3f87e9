"""Marks tests that need Node, which runs the scripts of pages as a browser does."""

from __future__ import annotations

import shutil

import pytest

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
