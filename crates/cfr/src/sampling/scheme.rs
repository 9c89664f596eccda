//! What a walk samples besides chance: the only difference between the sampled solvers.

/// What a walk does at the decisions of the updated seat and of the others.
pub(super) trait Scheme: Copy {
    /// Whether all actions of the others are walked. Otherwise one is drawn by their strategy.
    const ALL_OF_OTHERS: bool;

    /// `None` if all actions of the updated seat are walked. Otherwise one is drawn: with this probability
    /// uniformly, else by the seat's strategy.
    fn exploration(self) -> Option<f64>;
}

/// External sampling (Lanctot, Waugh, Zinkevich, Bowling 2009, §3.2): everything outside the updated seat.
#[derive(Clone, Copy)]
pub(super) struct External;

impl Scheme for External {
    const ALL_OF_OTHERS: bool = false;

    fn exploration(self) -> Option<f64> {
        None
    }
}

/// Outcome sampling (the same, §3.1): one history.
#[derive(Clone, Copy)]
pub(super) struct Outcome(pub f64);

impl Scheme for Outcome {
    const ALL_OF_OTHERS: bool = false;

    fn exploration(self) -> Option<f64> {
        Some(self.0)
    }
}

/// Chance sampling (Zinkevich, Johanson, Bowling, Piccione 2007, §3.4): the deal alone.
#[derive(Clone, Copy)]
pub(super) struct ChanceOnly;

impl Scheme for ChanceOnly {
    const ALL_OF_OTHERS: bool = true;

    fn exploration(self) -> Option<f64> {
        None
    }
}
