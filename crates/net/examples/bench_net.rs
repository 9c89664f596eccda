use net::*;
fn main() {
    use_one_thread();
    let mut board = String::new();
    for r in -3i32..=3 {
        for q in -3i32..=3 {
            board.push(if (q + r).abs() <= 3 { '#' } else { '.' });
        }
    }
    let shape = NetworkShape {
        height: 7,
        width: 7,
        feature_planes: 60,
        feature_globals: 240,
        policy_planes: 78,
        policy_flat: 35,
        board,
    };
    println!("{}", numerics(Precision::Float32, 64));
    for (blocks, channels) in [(4, 32), (6, 64)] {
        let network = Network::random(
            Architecture::Residual { blocks, channels, value_hidden: 64 },
            shape.clone(),
            1,
        )
        .unwrap();
        for batch in [16, 32, 64, 128] {
            for p in [Precision::Float32, Precision::Bfloat16] {
                println!(
                    "{blocks}x{channels} batch {batch} {p}: {:.0}",
                    bench::evals_per_s(&network, p, batch, std::time::Duration::from_millis(400))
                );
            }
        }
    }
}
