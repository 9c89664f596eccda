//! Matches between players: pairs, results, what is kept, and what has no influence.

mod matches;
