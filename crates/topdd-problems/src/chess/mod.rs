//! Problems on the chessboard.
