//! Games with perfect information: one module a game.
