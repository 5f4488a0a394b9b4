"""Queens with a rule of its own: no attacks, and neighbouring rows differ by at least three columns. Draws the first board.

    python python/examples/own_queens.py
"""

import topdd as td

N = 10


@td.spec(elements=td.Variables(N, N), root=())
def rule(columns, row, column):
    attacked = any(column == other or abs(column - other) == row - at for at, other in enumerate(columns))
    if attacked or columns and abs(column - columns[-1]) < 3:
        return None
    return (*columns, column)


placements = rule.build()
print(len(placements), "placements; the first is", placements[0].values())
odd = rule & td.constraints(N, N).sum_modulo(2, 1, of=range(5))
print(odd.count(), "of them have an odd sum of columns in the first five rows")
squares = ["abcdefghij"[column] + str(row + 1) for row, column in placements[0].items()]
td.queens(N, given=squares).build()[0].picture().save("own_queens.svg")
