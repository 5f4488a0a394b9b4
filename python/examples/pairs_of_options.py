"""A test plan of pairs: few configurations in which each two settings of different options meet, as a picture.

    python python/examples/pairs_of_options.py
"""

from itertools import combinations

import topdd as td

OPTIONS = td.Variables({"system": ["linux", "mac", "windows"], "python": [310, 312, 314], "numpy": [1, 2], "mode": ["debug", "fast"]})

valid = td.constraints(OPTIONS).clauses([[("python", "!=", 314), ("numpy", 2)], [("system", "!=", "mac"), ("mode", "fast")]])
pairs = {frozenset(pair) for s in valid.build() for pair in combinations(s, 2)}
plan = []
while pairs:
    tests = ((sum(set(pair) <= set(test) for pair in pairs), test) for test in valid.build())
    _, test = max(tests, key=lambda scored: scored[0])
    plan.append(test)
    pairs = {pair for pair in pairs if not pair <= set(test)}
print(len(plan), "of", valid.count(), "configurations:")
print(*(test.values() for test in plan), sep="\n")
td.constraints(OPTIONS).table([test.values() for test in plan]).build()[:].picture().save("pairs_of_options.svg")
