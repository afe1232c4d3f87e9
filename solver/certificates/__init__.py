"""Certificates of answers: closed sets of labelled states, which a program that knows only the core can check."""
