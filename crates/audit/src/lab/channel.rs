//! The ways by which hidden information has been seen to leak, and the tests that find them.

use std::fmt;

/// A channel by which what a player may not know can reach what it does or what is trained on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Channel(u8);

const ABOUT: [&str; 18] = [
    "observation and feature encoder",
    "history, pending decision and continuation",
    "legal actions and their order",
    "search on the true state",
    "sampler: returns the truth, or too few worlds",
    "sampler: forgets what the viewer knows",
    "random streams tied to the deal",
    "evaluation cache keyed too coarsely",
    "other rows of a batch",
    "policy, value and auxiliary targets",
    "metadata: ids, order, names, log, error text",
    "resignation, length and adjudication",
    "held-out rows of training games",
    "simulations on the live observation",
    "switches and features that widen what is seen",
    "audit and training files joined",
    "size and number of messages",
    "selection of checkpoints",
];

impl Channel {
    pub const ALL: [Channel; 18] = {
        let mut all = [Channel(0); 18];
        let mut idx = 0;
        while idx < 18 {
            all[idx] = Channel(idx as u8 + 1);
            idx += 1;
        }
        all
    };

    /// Channel number `number`, from 1.
    ///
    /// # Panics
    /// When there is none of this number.
    pub const fn new(number: u8) -> Channel {
        assert!(number >= 1 && number <= 18, "channels are C1 to C18");
        Channel(number)
    }

    pub fn about(self) -> &'static str {
        ABOUT[usize::from(self.0) - 1]
    }
}

/// `C1` to `C18`.
impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "C{}", self.0)
    }
}

/// A way to find a leak.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Test {
    /// Two truths, one observation: the same bytes.
    TwoWorlds,
    /// Two truths, one observation: as many messages, as long ones.
    Sizes,
    /// A sampled world looks like the observation.
    Reobserve,
    /// Sampled worlds are spread as the belief says.
    Spread,
    /// A request is answered alike alone, among others, and again.
    Alone,
    /// The observation is the same after a search.
    SideEffects,
    /// Ids look random and hang on the secret.
    Ids,
    /// The columns on disk are those of the schema, and the other record's file is refused.
    Schema,
    /// No game has rows on both sides.
    Split,
    /// What is written verifies against the truth.
    Verify,
    /// Crates, features, accessors and signatures are those of the architecture.
    Structure,
    /// It could not be played to the end.
    Fault,
}

impl Test {
    pub const fn name(self) -> &'static str {
        match self {
            Test::TwoWorlds => "two-worlds",
            Test::Sizes => "sizes",
            Test::Reobserve => "re-observe",
            Test::Spread => "spread",
            Test::Alone => "alone",
            Test::SideEffects => "side-effects",
            Test::Ids => "ids",
            Test::Schema => "schema",
            Test::Split => "split",
            Test::Verify => "verify",
            Test::Structure => "structure",
            Test::Fault => "fault",
        }
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
