//! What may be done with a truth. The other cases differ from this one in a single line.
use game::{Hidden, ModelFree, Seat};
use referee::Truth;

fn allowed<G: Hidden, B: ModelFree<G>>(truth: &Truth<G>, belief: &B) {
    let observation = truth.observation(Seat::FIRST);
    let _ = belief.sample(truth.rules(), observation, 7);
}

fn main() {}
