use game::Hidden;
use referee::Truth;

fn print<G: Hidden + std::fmt::Debug>(truth: &Truth<G>) {
    println!("{truth:?}");
}

fn main() {}
