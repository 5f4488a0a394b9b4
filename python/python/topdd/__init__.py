"""All solutions of a problem on a graph or a board: their number, samples, the best, and set algebra.

>>> import topdd as td
>>> g = td.Graph([("A", "B", 3), ("B", "C", 1), ("A", "C", 5), ("C", "D", 2)])
>>> paths = g.paths("A", "D")
>>> paths.count()
2
>>> d = paths.build()
>>> d.best(1)
[(6, Solution([('A', 'B'), ('B', 'C'), ('C', 'D')]))]
"""

from topdd._errors import (
    CancelledError,
    Error,
    FileError,
    InputError,
    InputWarning,
    InternalError,
    MemoryLimitError,
    MissingFileError,
    RankError,
    TimeLimitError,
    TooManyError,
    VerifyError,
)
from topdd._formulas import Bool, Expression
from topdd._limits import limits
from topdd._rules import Spec, Variables, spec
from topdd._topdd import (
    BoundedBest,
    Configurator,
    CountEstimate,
    Diagram,
    Family,
    Function,
    Graph,
    Manager,
    Picture,
    Prediction,
    Report,
    Solution,
    Solutions,
    cnf,
    constraints,
    dp,
    exact_cover,
    formula,
    knights,
    opb,
    pieces,
    queens,
)

__version__ = "0.1.0"
__all__ = [
    "Bool",
    "BoundedBest",
    "CancelledError",
    "Configurator",
    "CountEstimate",
    "Diagram",
    "Error",
    "Expression",
    "Family",
    "FileError",
    "Function",
    "Graph",
    "InputError",
    "InputWarning",
    "InternalError",
    "Manager",
    "MemoryLimitError",
    "MissingFileError",
    "Picture",
    "Prediction",
    "RankError",
    "Report",
    "Solution",
    "Solutions",
    "Spec",
    "TimeLimitError",
    "TooManyError",
    "Variables",
    "VerifyError",
    "cnf",
    "constraints",
    "dp",
    "exact_cover",
    "formula",
    "knights",
    "limits",
    "opb",
    "pieces",
    "queens",
    "spec",
]
