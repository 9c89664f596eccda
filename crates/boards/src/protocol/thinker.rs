//! What a session asks of a search.

use super::limits::Limits;
use game::Rules;

/// A question: the game so far, and how long to think.
#[derive(Debug)]
pub struct Asked<'a, G: Rules> {
    pub start: &'a G::State,
    /// What was played since, all legal. Repetition is judged over these.
    pub played: &'a [G::Action],
    /// The position after them, in which somebody is to act.
    pub position: &'a G::State,
    /// What may be answered: at least one.
    pub allowed: &'a [G::Action],
    pub limits: Limits,
}

/// For the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    Hundredths(i32),
    /// Plies to the end, at least 1.
    WinIn(u32),
    LossIn(u32),
}

/// What is known after a completed depth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress<A> {
    pub depth: u32,
    pub score: Score,
    pub nodes: u64,
    pub elapsed_ms: u64,
    /// The best line found, the answer first.
    pub line: Vec<A>,
}

pub trait Thinker<G: Rules> {
    /// Forgets what was learnt in another game.
    fn new_game(&mut self);

    /// Chooses one of the allowed actions, telling of each completed depth.
    fn think(&mut self, asked: &Asked<G>, tell: &mut dyn FnMut(Progress<G::Action>)) -> G::Action;
}
