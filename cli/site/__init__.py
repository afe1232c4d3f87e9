"""A folder of pages for any web server: games and puzzles to look at and to play, and the studio without a server."""
