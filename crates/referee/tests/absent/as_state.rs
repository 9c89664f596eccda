use game::Hidden;
use referee::Truth;

fn read<G: Hidden>(truth: &Truth<G>) -> G::State {
    let state: &G::State = truth.as_ref();
    state.clone()
}

fn main() {}
