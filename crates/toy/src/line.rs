//! A small game's position: the acts so far.

use std::fmt;

/// The most plies of any small game, chance outcomes included.
pub const PLIES_MAX: usize = 48;

/// A seat's action or a chance outcome; what the number means is each game's own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Act(pub u8);

impl Act {
    /// Stands in what a seat knows for an act that it was not shown.
    pub const HIDDEN: Act = Act(u8::MAX);
}

impl fmt::Debug for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Act::HIDDEN { f.write_str("hidden") } else { write!(f, "act {}", self.0) }
    }
}

/// What one seat sees of one ply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sight {
    /// [`Act::HIDDEN`] where it is not shown.
    pub act: Act,
    /// What the ply tells besides, e.g. who won a round; 0 for nothing.
    pub signal: u8,
}

impl Sight {
    pub const fn open(act: Act) -> Sight {
        Sight { act, signal: 0 }
    }

    pub const NOTHING: Sight = Sight { act: Act::HIDDEN, signal: 0 };

    /// The act itself to those who may see it.
    pub const fn only_if(is_shown: bool, act: Act) -> Sight {
        if is_shown { Sight::open(act) } else { Sight::NOTHING }
    }
}

/// The acts so far, in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    n: u8,
    /// Those that were not played are `Act(0)`, so that equal lines are equal in every byte.
    acts: [Act; PLIES_MAX],
}

impl Line {
    pub const START: Line = Line { n: 0, acts: [Act(0); PLIES_MAX] };

    pub fn acts(&self) -> &[Act] {
        &self.acts[..usize::from(self.n)]
    }

    pub(crate) fn push(&mut self, act: Act) {
        self.acts[usize::from(self.n)] = act;
        self.n += 1;
    }

    pub(crate) fn pop(&mut self) {
        self.n -= 1;
        self.acts[usize::from(self.n)] = Act(0);
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.acts()).finish()
    }
}
