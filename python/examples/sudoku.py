"""A sudoku: the values of 81 cells, of which some are given. Draws the solution.

    python python/examples/sudoku.py
"""

import topdd as td

CLUES = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

cells = [(row, column) for row in range(9) for column in range(9)]
grid = td.constraints(cells, range(1, 10)).including({cell: int(clue) for cell, clue in zip(cells, CLUES) if clue != "."})
for line in range(9):
    grid = grid.all_different([(line, at) for at in range(9)]).all_different([(at, line) for at in range(9)])
    grid = grid.all_different([(line // 3 * 3 + at // 3, line % 3 * 3 + at % 3) for at in range(9)])
(solution,) = grid.build()
print(solution.to_numpy().reshape(9, 9))
solution.picture().save("sudoku.svg")
