"""The server of the page: who may ask, what is sent over its web sockets, and the processes that work for it."""
