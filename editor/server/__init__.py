"""The language server: requests of the protocol in, answers of the features out."""
