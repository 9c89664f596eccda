//! Which decisions and which hidden fields the pairs reached: a comparison of nothing proves nothing.

use game::{Rules, Seat};
use std::collections::BTreeMap;

/// What a game calls its kinds of decision, and what a seat hides in it.
pub struct Fields<G: Rules> {
    /// The kind of the decision that `state` waits for.
    pub kind: fn(&G::State) -> &'static str,
    /// A rare situation worth its own count, if this is one.
    pub rare: fn(&G::State) -> Option<&'static str>,
    /// The hidden fields of `seat` that differ between two states.
    pub differing: fn(&G::State, &G::State, Seat) -> Vec<&'static str>,
}

/// Pairs of one kind of decision, and in how many of them each hidden field differed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub pairs: u64,
    pub fields: BTreeMap<&'static str, u64>,
}

/// Pairs by kind of decision, rare situations as kinds of their own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// Pairs whose hidden fields differ in the position itself.
    pub pairs: u64,
    /// Pairs that differ in the past alone; compared too, and not among `pairs`.
    pub past_only: u64,
    pub kinds: BTreeMap<&'static str, Counts>,
}

impl Coverage {
    pub(super) fn count<G: Rules>(
        &mut self,
        fields: &Fields<G>,
        a: &G::State,
        b: &G::State,
        seat: Seat,
    ) {
        if a == b {
            self.past_only += 1;
            return;
        }
        self.pairs += 1;
        let differing = (fields.differing)(a, b, seat);
        for kind in [Some((fields.kind)(a)), (fields.rare)(a)].into_iter().flatten() {
            let counts = self.kinds.entry(kind).or_default();
            counts.pairs += 1;
            for field in &differing {
                *counts.fields.entry(field).or_default() += 1;
            }
        }
    }

    pub fn merge(&mut self, other: Coverage) {
        self.pairs += other.pairs;
        self.past_only += other.past_only;
        for (kind, counts) in other.kinds {
            let ours = self.kinds.entry(kind).or_default();
            ours.pairs += counts.pairs;
            for (field, n) in counts.fields {
                *ours.fields.entry(field).or_default() += n;
            }
        }
    }

    /// In how many pairs a hidden field differed, over all kinds.
    pub fn field(&self, field: &str) -> u64 {
        self.kinds.values().filter_map(|counts| counts.fields.get(field)).sum()
    }
}
