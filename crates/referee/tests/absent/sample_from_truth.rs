use game::{Hidden, ModelFree};
use referee::Truth;

fn sample<G: Hidden, B: ModelFree<G>>(truth: &Truth<G>, belief: &B) {
    let _ = belief.sample(truth.rules(), truth, 7);
}

fn main() {}
