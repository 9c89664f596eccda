//! C13: rows of one game on both sides of the split.

use crate::planted::{Leak, Planted, leak};
use audit::lab::Test;

pub fn leaks() -> Vec<Leak> {
    vec![
        leak(
            13,
            "split-by-row",
            "every fourth row is held out",
            Planted {
                held_out: |rows| (0..rows.len()).map(|idx| idx % 4 == 0).collect(),
                ..Planted::CLEAN
            },
        )
        .caught_by(Test::Split),
        leak(
            13,
            "split-by-seat",
            "the rows of one seat of every fourth game are held out",
            Planted {
                held_out: |rows| {
                    rows.iter()
                        .map(|row| row.seat == 0 && record::split::is_held_out(row.game, 0.25))
                        .collect()
                },
                ..Planted::CLEAN
            },
        )
        .caught_by(Test::Split),
        leak(
            13,
            "last-plies-held-out",
            "the end of every game is held out",
            Planted {
                held_out: |rows| rows.iter().map(|row| row.ply > 7).collect(),
                ..Planted::CLEAN
            },
        )
        .caught_by(Test::Split),
    ]
}
