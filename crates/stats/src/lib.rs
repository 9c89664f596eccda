//! Elo, SPRT, intervals.
