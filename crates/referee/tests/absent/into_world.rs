use game::{Hidden, World};
use referee::Truth;

fn determinize<G: Hidden>(truth: Truth<G>) -> World<G> {
    World::from(truth)
}

fn main() {}
