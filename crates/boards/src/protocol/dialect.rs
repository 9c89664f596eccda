//! What differs between the two protocols.

use super::thinker::Score;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    Uci,
    Ucci,
}

impl Dialect {
    pub(super) fn greeting(self) -> &'static str {
        match self {
            Dialect::Uci => "uci",
            Dialect::Ucci => "ucci",
        }
    }

    pub(super) fn greeted(self) -> &'static str {
        match self {
            Dialect::Uci => "uciok",
            Dialect::Ucci => "ucciok",
        }
    }

    pub(super) fn no_move(self) -> &'static str {
        match self {
            Dialect::Uci => "bestmove 0000",
            Dialect::Ucci => "nobestmove",
        }
    }

    /// UCI tells mates apart, in moves of the winner; UCCI has numbers only.
    pub(super) fn score_text(self, score: Score) -> String {
        match (self, score) {
            (Dialect::Uci, Score::Hundredths(score)) => format!("cp {score}"),
            (Dialect::Uci, Score::WinIn(plies)) => format!("mate {}", plies.div_ceil(2)),
            (Dialect::Uci, Score::LossIn(plies)) => format!("mate -{}", plies.div_ceil(2)),
            (Dialect::Ucci, Score::Hundredths(score)) => score.to_string(),
            (Dialect::Ucci, Score::WinIn(plies)) => (30_000 - plies as i32).to_string(),
            (Dialect::Ucci, Score::LossIn(plies)) => (plies as i32 - 30_000).to_string(),
        }
    }
}
