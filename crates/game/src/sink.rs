//! Where generated actions go: a game pushes, the receiver decides when it has seen enough.

use std::ops::ControlFlow;

/// Receives actions one at a time. Returning `Break` ends the generation early.
pub trait ActionSink<A> {
    fn push(&mut self, action: A) -> ControlFlow<()>;

    /// Receives the next `n` actions, which `actions` yields in order. A generator that knows the size of a set
    /// without listing it calls this, and a receiver that only counts never runs the iterator.
    #[inline]
    fn push_set(&mut self, n: usize, actions: impl Iterator<Item = A>) -> ControlFlow<()> {
        let _ = n;
        for action in actions {
            self.push(action)?;
        }
        ControlFlow::Continue(())
    }
}

impl<A> ActionSink<A> for Vec<A> {
    #[inline]
    fn push(&mut self, action: A) -> ControlFlow<()> {
        Vec::push(self, action);
        ControlFlow::Continue(())
    }
}

/// Counts actions and keeps none of them.
#[derive(Debug, Default)]
pub struct Count(pub u64);

impl<A> ActionSink<A> for Count {
    #[inline]
    fn push(&mut self, _: A) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }

    #[inline]
    fn push_set(&mut self, n: usize, _: impl Iterator<Item = A>) -> ControlFlow<()> {
        self.0 += n as u64;
        ControlFlow::Continue(())
    }
}

/// Stops at the first action that satisfies the predicate.
pub struct Any<F> {
    predicate: F,
    pub found: bool,
}

impl<F> Any<F> {
    pub fn new(predicate: F) -> Self {
        Any { predicate, found: false }
    }
}

impl<A, F: FnMut(&A) -> bool> ActionSink<A> for Any<F> {
    #[inline]
    fn push(&mut self, action: A) -> ControlFlow<()> {
        if (self.predicate)(&action) {
            self.found = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
