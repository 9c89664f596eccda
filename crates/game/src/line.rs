//! L3: a game as it was played, and what repetition means in it.

use crate::{Keyed, Rules, SearchHints, Utility};

/// The position and every ply that led here. What was played before a search and what the search plays are one
/// stack, so that repetition sees both; [`Line::push`] and [`Line::pop`] are the only ways to change it.
pub struct Line<G: Keyed + SearchHints> {
    rules: G,
    state: G::State,
    is_forced: bool,
    played: Vec<Played<G>>,
}

/// One ply of a [`Line`].
struct Played<G: Rules> {
    taken_back_by: TakenBackBy<G>,
    key_before: u64,
    was_forced: bool,
}

enum TakenBackBy<G: Rules> {
    Undo(G::Action, G::Undo),
    /// A null move: the position before it.
    State(G::State),
}

/// One ply of the cycle that a repetition closes, oldest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CyclePly {
    /// Whether the ply left the other seat in check; see [`SearchHints::is_forced`].
    pub gave_check: bool,
}

impl<G: Keyed + SearchHints> Line<G> {
    pub fn new(rules: G, state: G::State) -> Line<G> {
        let is_forced = rules.is_forced(&state);
        Line { rules, state, is_forced, played: Vec::new() }
    }

    pub fn rules(&self) -> &G {
        &self.rules
    }

    pub fn state(&self) -> &G::State {
        &self.state
    }

    pub fn key(&self) -> u64 {
        self.rules.key(&self.state)
    }

    /// How many plies lead here, null moves included.
    pub fn n_plies(&self) -> usize {
        self.played.len()
    }

    /// Whether the seat to act is in check; see [`SearchHints::is_forced`].
    pub fn is_forced(&self) -> bool {
        self.is_forced
    }

    /// Plays a legal action or a possible chance outcome.
    pub fn push(&mut self, action: G::Action) {
        let key_before = self.key();
        let undo = self.rules.apply(&mut self.state, action);
        let taken_back_by = TakenBackBy::Undo(action, undo);
        self.played.push(Played { taken_back_by, key_before, was_forced: self.is_forced });
        self.is_forced = self.rules.is_forced(&self.state);
    }

    /// Lets the seat to act pass, where the game says that a search may suppose so; whether it did.
    pub fn push_null(&mut self) -> bool {
        let Some(passed) = self.rules.after_null_move(&self.state) else { return false };
        let key_before = self.key();
        let taken_back_by = TakenBackBy::State(std::mem::replace(&mut self.state, passed));
        self.played.push(Played { taken_back_by, key_before, was_forced: self.is_forced });
        self.is_forced = self.rules.is_forced(&self.state);
        true
    }

    /// Takes the last ply back; whether there was one.
    pub fn pop(&mut self) -> bool {
        let Some(last) = self.played.pop() else { return false };
        match last.taken_back_by {
            TakenBackBy::Undo(action, undo) => self.rules.undo(&mut self.state, action, undo),
            TakenBackBy::State(before) => self.state = before,
        }
        self.is_forced = last.was_forced;
        true
    }

    /// Whether the last ply was a null move: two in a row prove nothing.
    pub fn is_after_null(&self) -> bool {
        self.played.last().is_some_and(|last| matches!(last.taken_back_by, TakenBackBy::State(_)))
    }

    /// How often this position stood on the board before, back to the last null move.
    pub fn n_earlier(&self) -> usize {
        let key = self.key();
        self.since_null().filter(|played| played.key_before == key).count()
    }

    /// The plies since this position last stood on the board, oldest first; nothing where it never did.
    pub fn cycle(&self) -> Vec<CyclePly> {
        let key = self.key();
        let mut plies = Vec::new();
        let mut gave_check = self.is_forced;
        for played in self.since_null() {
            plies.push(CyclePly { gave_check });
            gave_check = played.was_forced;
            if played.key_before == key {
                plies.reverse();
                return plies;
            }
        }
        Vec::new()
    }

    /// The plies back to the last null move, newest first.
    fn since_null(&self) -> impl Iterator<Item = &Played<G>> {
        let newest_first = self.played.iter().rev();
        newest_first.take_while(|played| matches!(played.taken_back_by, TakenBackBy::Undo(..)))
    }
}

impl<G: Keyed + SearchHints> Clone for Line<G>
where
    G::Undo: Clone,
{
    fn clone(&self) -> Line<G> {
        let copied = |played: &Played<G>| Played {
            taken_back_by: match &played.taken_back_by {
                TakenBackBy::Undo(action, undo) => TakenBackBy::Undo(*action, undo.clone()),
                TakenBackBy::State(before) => TakenBackBy::State(before.clone()),
            },
            key_before: played.key_before,
            was_forced: played.was_forced,
        };
        Line {
            rules: self.rules.clone(),
            state: self.state.clone(),
            is_forced: self.is_forced,
            played: self.played.iter().map(copied).collect(),
        }
    }
}

/// What a repeated position means. It is a rule of play, not of a position: a key stays a pure function of the
/// position, and moves are counted without it.
pub trait Repetition<G: Keyed + SearchHints>: Clone + Send + Sync {
    /// The result where the rule ends the game here. A search does not keep such a score for the position, since
    /// another way there has another.
    fn verdict(&self, line: &Line<G>) -> Option<Utility>;
}

/// No position ends a game by coming again: for games where none can, and for counting moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RepetitionOff;

impl<G: Keyed + SearchHints> Repetition<G> for RepetitionOff {
    #[inline]
    fn verdict(&self, _: &Line<G>) -> Option<Utility> {
        None
    }
}

/// A position that stands on the board for the `times`-th time draws the game: 3 in chess; 2 inside a search, where a
/// cycle that can be gone round once can be gone round again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawnWhenRepeated {
    pub times: usize,
}

impl<G: Keyed + SearchHints> Repetition<G> for DrawnWhenRepeated {
    fn verdict(&self, line: &Line<G>) -> Option<Utility> {
        (line.n_earlier() + 1 >= self.times).then(|| Utility::new(&[0.0, 0.0]))
    }
}
