"""A knapsack: all ways to pack, the best ones, and how often an item is in a good one. Draws good ones.

    python python/examples/knapsack.py
"""

import topdd as td

ITEMS = {"tent": (3.2, 9), "stove": (0.8, 5), "rope": (2.5, 4), "camera": (1.1, 6), "books": (1.9, 2), "water": (4.0, 10)}

weights, worth = ({name: item[part] for name, item in ITEMS.items()} for part in range(2))
packs = td.constraints(ITEMS.keys()).linear(weights, "<=", 8).clauses([[("tent", False), ("stove", True)]])
diagram = packs.build()
print(diagram.count(), "packs of at most 8 kg")
for value, pack in diagram.best(3, worth, max=True):
    print(value, [name for name, packed in pack.items() if packed])
good = diagram.cost_at_least(20, worth)
print({name: counts[True] for name, counts in good.element_counts().items()}, "of", len(good), "packs worth 20 or more")
good[:12].picture().save("knapsack.svg")
