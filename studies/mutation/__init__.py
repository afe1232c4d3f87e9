"""Mutation testing of rules: which mutants would pytest notice?"""
