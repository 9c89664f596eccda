//! How long to think: the words after `go`.

use super::dialect::Dialect;
use game::Seat;

/// Every limit that was given holds; none at all means until told to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Plies.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Milliseconds for this move alone.
    pub move_time_ms: Option<u64>,
    /// What the side to move has left for the game.
    pub clock: Option<Clock>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    pub left_ms: u64,
    /// Added after every move.
    pub increment_ms: u64,
    /// Moves until more time is added; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl Limits {
    /// Reads what follows `go`. Words that set no limit, such as `infinite` and `ponder`, are passed over.
    pub(super) fn parse(dialect: Dialect, words: &[&str], to_move: Seat) -> Result<Limits, String> {
        let mut limits = Limits::default();
        let mut clock = Clock::default();
        let mut has_clock = false;
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let meaning = meaning(dialect, word, to_move);
            if meaning == Meaning::NoNumber {
                continue;
            }
            let number = words.next().ok_or_else(|| format!("a number is missing after {word}"))?;
            let number: u64 =
                number.parse().map_err(|_| format!("{number:?} after {word} is no number"))?;
            let small = u32::try_from(number).unwrap_or(u32::MAX);
            match meaning {
                Meaning::Depth => limits.depth = Some(small),
                Meaning::Nodes => limits.nodes = Some(number),
                Meaning::MoveTime => limits.move_time_ms = Some(number),
                Meaning::Left => (clock.left_ms, has_clock) = (number, true),
                Meaning::Increment => clock.increment_ms = number,
                Meaning::MovesToGo => clock.moves_to_go = Some(small),
                Meaning::Other | Meaning::NoNumber => {}
            }
        }
        limits.clock = has_clock.then_some(clock);
        Ok(limits)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Depth,
    Nodes,
    MoveTime,
    Left,
    Increment,
    MovesToGo,
    /// A number that says nothing about this move: the other side's clock.
    Other,
    NoNumber,
}

fn meaning(dialect: Dialect, word: &str, to_move: Seat) -> Meaning {
    let is_first = to_move == Seat::FIRST;
    match (dialect, word) {
        (_, "depth") => Meaning::Depth,
        (_, "nodes") => Meaning::Nodes,
        (_, "movestogo") => Meaning::MovesToGo,
        (Dialect::Uci, "movetime") => Meaning::MoveTime,
        (Dialect::Uci, "wtime") if is_first => Meaning::Left,
        (Dialect::Uci, "btime") if !is_first => Meaning::Left,
        (Dialect::Uci, "winc") if is_first => Meaning::Increment,
        (Dialect::Uci, "binc") if !is_first => Meaning::Increment,
        (Dialect::Uci, "wtime" | "btime" | "winc" | "binc" | "mate") => Meaning::Other,
        (Dialect::Ucci, "time") => Meaning::Left,
        (Dialect::Ucci, "increment") => Meaning::Increment,
        (Dialect::Ucci, "opptime" | "oppmovestogo" | "oppincrement") => Meaning::Other,
        _ => Meaning::NoNumber,
    }
}
