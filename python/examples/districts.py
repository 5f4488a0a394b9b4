"""All ways to divide a small map into districts of nearly equal population, and a fair sample of them.

Draws six of the plans.

    python python/examples/districts.py [folder]
"""

import sys
from collections import Counter
from pathlib import Path

import topdd as td

# Counties on a map of five rows: people in thousands.
PEOPLE = [
    [23, 31, 18, 12, 25],
    [14, 40, 35, 20, 16],
    [28, 22, 52, 33, 19],
    [17, 26, 30, 21, 24],
    [11, 19, 15, 29, 20],
]


def main(folder: Path) -> None:
    counties = [(row, column) for row in range(5) for column in range(5)]
    borders = [(a, b) for a in counties for b in counties if a < b and abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    people = {(row, column): PEOPLE[row][column] for row, column in counties}
    map_of_counties = td.Graph(borders, population=people, pos={(r, c): (c, -r) for r, c in counties})

    share = sum(people.values()) / 4
    plans = map_of_counties.partitions(4, population=(0.95 * share, 1.05 * share)).build(timeout=600)
    print(f"{plans.count()} of {map_of_counties.partitions(4).count()} plans of four districts have an equal population")

    # Districts with few borders between them are compact: a plan takes the borders inside of its districts.
    compact = plans.best(1, max=True)[0][1]
    print(f"the most compact plan cuts {len(borders) - len(compact)} borders")

    # How many borders do plans cut? A plan that is far from most others was drawn on purpose.
    sample = plans.sample(1000, seed=1)
    cut = Counter(len(borders) - int(row.sum()) for row in sample.to_numpy())
    for number in sorted(cut):
        print(f"  {number:3} borders: {'#' * (cut[number] // 10)}")

    labels = sample.label_array()
    print(f"labels of the sample: an array of {labels.shape[0]} plans and {labels.shape[1]} counties")
    sample[:6].picture().save(folder / "districts.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
