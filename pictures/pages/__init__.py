"""HTML pages built from pictures: one file each, no network, nothing to install."""
