"""What is known of the texts of a folder together: the newest of each, what they link to, what is wrong with them."""
