"""A tournament of six teams without draws: which scores are possible, and how often? Draws twelve of them.

    python python/examples/tournament.py
"""

from collections import Counter
from itertools import combinations

import topdd as td

games = list(combinations("ABCDEF", 2))
results = td.constraints({game: game for game in games})      # the value of a game is its winner
wins = {team: lambda game, winner, team=team: winner == team for team in "ABCDEF"}
champion = results.linear(wins["A"], "==", 4)
for team in "BCDEF":
    champion = champion.linear(wins[team], "<=", 3)
print(champion.count(), "of", results.count(), "tournaments are won by A alone, with 4 wins")
sample = champion.build().sample(1000, seed=1)
upsets = Counter(sum(b == winner for (_, b), winner in s.items()) for s in sample)
print("games that the later team wins:", dict(sorted(upsets.items())))
sample[:12].picture().save("tournament.svg")
