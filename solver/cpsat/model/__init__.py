"""The rules as a Boolean circuit: abstract state graph, unrolling, final-board relaxation."""
