"""Rosters of one nurse for 28 days: how many there are, and the one with the fewest weekends, as a picture.

    python python/examples/roster.py
"""

import topdd as td

DAYS = [(week, day) for week in range(4) for day in "Mon Tue Wed Thu Fri Sat Sun".split()]

roster = (
    td.constraints(DAYS, ["off", "day", "night"])
    .between(16, 20, values=["day", "night"])                # shifts in four weeks
    .longest_run(3, values=["night"])
    .window(7, 1, 6, values=["off"])                          # a day off in any seven days
    .regex("(<night>+ <off> | <off> | <day>)* <night>*")      # nights end with a day off
    .exactly(8, values=["night"])
)
print(roster.count(), "rosters")
weekend = lambda day, shift: shift != "off" and day[1] in ("Sat", "Sun")
days, best = roster.build().best(1, weekend)[0]
print(days, "days on weekends:", " ".join(shift[0] for shift in best.values()))
best.picture().save("roster.svg")
