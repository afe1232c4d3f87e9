"""Shortest plans as a constraint model: is there a plan of so many moves at most?"""
