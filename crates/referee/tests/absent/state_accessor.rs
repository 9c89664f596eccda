use game::Hidden;
use referee::Truth;

fn read<G: Hidden>(truth: &Truth<G>) -> &G::State {
    truth.state()
}

fn main() {}
