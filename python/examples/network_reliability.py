"""How reliable is a network, and which link should be improved?

Draws the network with the use of each link in all ways to stay connected.

    python python/examples/network_reliability.py [folder]
"""

import sys
from pathlib import Path

import topdd as td

# Links between cities, and the probability that each works.
LINKS = [
    ("Lisbon", "Madrid", 0.95),
    ("Madrid", "Barcelona", 0.97),
    ("Madrid", "Bordeaux", 0.9),
    ("Barcelona", "Lyon", 0.92),
    ("Bordeaux", "Paris", 0.98),
    ("Lyon", "Paris", 0.98),
    ("Lyon", "Milan", 0.85),
    ("Paris", "Brussels", 0.99),
    ("Milan", "Zurich", 0.93),
    ("Zurich", "Frankfurt", 0.97),
    ("Brussels", "Frankfurt", 0.96),
    ("Frankfurt", "Berlin", 0.98),
    ("Brussels", "Amsterdam", 0.99),
    ("Amsterdam", "Berlin", 0.94),
]
POSITIONS = {
    "Lisbon": (-9.1, 38.7), "Madrid": (-3.7, 40.4), "Barcelona": (2.2, 41.4), "Bordeaux": (-0.6, 44.8),
    "Lyon": (4.8, 45.8), "Paris": (2.3, 48.9), "Milan": (9.2, 45.5), "Brussels": (4.4, 50.8), "Zurich": (8.5, 47.4),
    "Frankfurt": (8.7, 50.1), "Berlin": (13.4, 52.5), "Amsterdam": (4.9, 52.4),
}  # fmt: skip


def main(folder: Path) -> None:
    network = td.Graph([(a, b, {"p": p}) for a, b, p in LINKS], p="p", pos=POSITIONS)
    ends = ["Lisbon", "Berlin"]
    print(f"all cities are connected with probability {network.reliability():.4f}")
    print(f"{' and '.join(ends)} are connected with probability {network.reliability(ends):.4f}")

    # The gain if one link never fails.
    now = network.reliability(ends)
    works = {(a, b): p for a, b, p in LINKS}
    gains = {link: network.reliability(ends, p={**works, link: 1.0}) - now for link in works}
    for link, gain in sorted(gains.items(), key=lambda item: -item[1])[:3]:
        print(f"  a link {'-'.join(link)} that never fails adds {gain:.4f}")

    cuts = network.cuts(*ends, minimal=True).build()
    print(f"{len(cuts)} minimal sets of links separate them; the smallest are {[cut.edges for cut in cuts.exactly(1)]}")

    connected = network.connected().build()
    print(f"{connected.count()} sets of links connect all cities")
    connected.heat_map().save(folder / "reliability.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
