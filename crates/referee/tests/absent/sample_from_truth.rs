use game::{Belief, ModelFree, Hidden};
use referee::Truth;

fn sample<G: Hidden, B: Belief<G>>(truth: &Truth<G>, belief: &B) {
    let _ = belief.sample(truth.rules(), truth, 7);
}

fn main() {}
