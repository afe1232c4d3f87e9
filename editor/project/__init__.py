"""The texts of a folder as a project: the latest of each, the games they link to, their errors."""
