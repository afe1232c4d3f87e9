"""Pages of HTML made of pictures: one file each, no network, nothing to install."""
