//! Evaluations remembered by what the seat to act knows.

use game::Evaluation;
use std::collections::HashMap;

/// Keyed by the canonical bytes of `now` in full, so that no two different positions ever share an answer; an answer
/// whose actions were listed otherwise, or in another order, is none.
/// Bounded: when the young half is full, the old half is forgotten. An entry that is asked for stays young.
pub(crate) struct EvaluationCache {
    young: HashMap<Box<[u8]>, Entry>,
    old: HashMap<Box<[u8]>, Entry>,
    half: usize,
}

/// Priors are in the order of the actions that were asked about.
struct Entry {
    actions: Box<[u16]>,
    evaluation: Evaluation,
}

impl Entry {
    fn answer(&self, actions: &[u16]) -> Option<Evaluation> {
        (*self.actions == *actions).then(|| self.evaluation.clone())
    }
}

impl EvaluationCache {
    pub fn new(entries: usize) -> EvaluationCache {
        EvaluationCache { young: HashMap::new(), old: HashMap::new(), half: entries.div_ceil(2) }
    }

    pub fn is_enabled(&self) -> bool {
        self.half > 0
    }

    /// The answer for `key` and these actions in this order.
    pub fn get(&mut self, key: &[u8], actions: &[u16]) -> Option<Evaluation> {
        if let Some(found) = self.young.get(key) {
            return found.answer(actions);
        }
        let (key, found) = self.old.remove_entry(key)?;
        let answer = found.answer(actions);
        self.put(key, found);
        answer
    }

    pub fn insert(&mut self, key: &[u8], actions: &[u16], evaluation: &Evaluation) {
        self.put(key.into(), Entry { actions: actions.into(), evaluation: evaluation.clone() });
    }

    pub fn clear(&mut self) {
        self.young.clear();
        self.old.clear();
    }

    fn put(&mut self, key: Box<[u8]>, entry: Entry) {
        if self.young.len() >= self.half {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, entry);
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluation(value: f32) -> Evaluation {
        Evaluation { value, priors: vec![0.5, 0.5] }
    }

    #[test]
    fn stays_within_its_bound_and_keeps_what_is_asked_for() {
        let mut cache = EvaluationCache::new(8);
        cache.insert(b"kept", &[3, 5], &evaluation(0.25));
        for number in 0u32..100 {
            cache.insert(&number.to_le_bytes(), &[3, 5], &evaluation(0.0));
            let kept = cache.get(b"kept", &[3, 5]);
            assert_eq!(kept, Some(evaluation(0.25)), "after {number}");
            assert!(cache.len() <= 8, "{} entries", cache.len());
        }
        assert_eq!(cache.get(&0u32.to_le_bytes(), &[3, 5]), None);
        for others in [&[3, 5, 7][..], &[5, 3], &[3, 6]] {
            assert_eq!(cache.get(b"kept", others), None);
        }
        cache.clear();
        assert_eq!(cache.get(b"kept", &[3, 5]), None);
    }
}
