"""The server of the page: access control, web sockets, and the processes that work for it."""
