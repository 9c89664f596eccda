use game::Hidden;
use referee::Truth;

fn copy<G: Hidden>(truth: &Truth<G>) -> Truth<G> {
    Truth::<G>::clone(truth)
}

fn main() {}
