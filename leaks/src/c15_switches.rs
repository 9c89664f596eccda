//! C15: switches, features and accessors that widen what is seen. The texts are the repository's own, changed.

use crate::boundary::{truth_gives_out, turns_planted_on, widening_switches};
use crate::planted::{Body, Leak};
use audit::lab::Test;

const TRUTH: &str = include_str!("../../crates/referee/src/truth.rs");
const HIDDEN: &str = include_str!("../../crates/game/src/hidden.rs");
const ENCODE: &str = include_str!("../../crates/game/src/encode.rs");
const REFEREE: &str = include_str!("../../crates/referee/Cargo.toml");
const WORKER: &str = include_str!("../../worker/Cargo.toml");

/// A text with one place changed. The place must be there, or the leak would be none.
pub fn changed(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "the text has no {from:?} to change");
    text.replacen(from, to, 1)
}

pub fn planted(
    channel: u8,
    name: &'static str,
    about: &'static str,
    find: fn() -> Vec<String>,
) -> Leak {
    Leak { name, channel, test: Test::Structure, about, body: Body::Text(find) }
}

pub fn leaks() -> Vec<Leak> {
    vec![
        planted(15, "reveal-switch", "a seat's observation takes a switch that shows all", || {
            let from = "pub fn observation(&self, seat: Seat)";
            let to = "pub fn observation(&self, seat: Seat, reveals_all: bool)";
            widening_switches(&changed(TRUTH, from, to))
        }),
        planted(
            15,
            "switch-in-the-rules",
            "what a seat knows now takes a switch for debugging",
            || {
                let from = "fn now(&self, state: &Self::State, seat: Seat)";
                let to = "fn now(&self, state: &Self::State, seat: Seat, for_debugging: bool)";
                widening_switches(&changed(HIDDEN, from, to))
            },
        ),
        planted(15, "oracle-features", "the features take a switch for an oracle", || {
            let from = "fn write_features(&self, now: &Self::Now,";
            let to = "fn write_features(&self, now: &Self::Now, for_oracle: bool,";
            widening_switches(&changed(ENCODE, from, to))
        }),
        planted(
            15,
            "planted-by-default",
            "the feature that gives out the state is on by default",
            || {
                let to = "planted = []\ndefault = [\"planted\"]\n";
                turns_planted_on("referee", &changed(REFEREE, "planted = []", to))
            },
        ),
        planted(15, "worker-with-planted", "the worker is built with the state given out", || {
            let to = "referee = { workspace = true, features = [\"planted\"] }";
            turns_planted_on("worker", &changed(WORKER, "referee.workspace = true", to))
        }),
        planted(15, "state-accessor", "the truth gives out its state", || {
            let to = "pub fn state(&self) -> &G::State {\n&self.state\n}\n    pub fn rules(&self)";
            truth_gives_out(&changed(TRUTH, "pub fn rules(&self)", to))
        }),
        planted(15, "printable-truth", "a truth can be printed, and so logged", || {
            let to = "#[derive(Debug)]\npub struct Truth";
            truth_gives_out(&changed(TRUTH, "pub struct Truth", to))
        }),
    ]
}
