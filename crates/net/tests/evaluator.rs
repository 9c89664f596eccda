//! Proves that an evaluation depends on its own request alone: not on its place, its neighbours, the cache or
//! the number of requests.

#[path = "support/fake_game.rs"]
mod fake_game;

use fake_game::{FakeGame, Known, known};
use game::{EvalRequest, Evaluation, Evaluator};
use net::{
    Architecture, EvaluatorOptions, NetEvaluator, Network, NetworkShape, Precision, use_one_thread,
};

const GAME: FakeGame = FakeGame { pool: "test" };

const ARCHITECTURES: [Architecture; 2] = [
    Architecture::Residual { blocks: 2, channels: 16, value_hidden: 32 },
    Architecture::Mlp { hidden: 32 },
];

fn network(architecture: Architecture, seed: u64) -> Network {
    Network::random(architecture, NetworkShape::of(&GAME), seed).unwrap()
}

fn evaluator(network: &Network, options: EvaluatorOptions) -> NetEvaluator<FakeGame> {
    use_one_thread();
    NetEvaluator::new(GAME, network, options).unwrap()
}

fn request(now: Known) -> EvalRequest<FakeGame> {
    let mut actions: Vec<u16> = fake_game::BOARD_CELLS.iter().map(|cell| *cell as u16).collect();
    if now[3] & 1 == 1 {
        actions.push(fake_game::FLAT);
    }
    EvalRequest { now, actions }
}

fn requests(n: u8) -> Vec<EvalRequest<FakeGame>> {
    (0..n).map(|idx| request(known(idx & 1, idx % 7, idx % 3 == 0, idx.wrapping_mul(37)))).collect()
}

fn bits(evaluation: &Evaluation) -> Vec<u32> {
    evaluation.priors.iter().chain([&evaluation.value]).map(|number| number.to_bits()).collect()
}

#[test]
fn a_row_alone_first_last_or_beside_others_gives_equal_bits() {
    for precision in [Precision::Float32, Precision::Bfloat16] {
        for architecture in ARCHITECTURES {
            let options = EvaluatorOptions { batch_size: 16, precision, cache_entries: 0 };
            let mut evaluator = evaluator(&network(architecture, 5), options);
            let all = requests(16);
            let together = evaluator.evaluate(&all);
            for (idx, expected) in together.iter().enumerate() {
                let one = || request(all[idx].now);
                let alone = evaluator.evaluate(&[one()]);
                assert_eq!(bits(&alone[0]), bits(expected), "{architecture} row {idx} alone");
                let mut last = requests(15);
                last.push(one());
                let last = evaluator.evaluate(&last);
                assert_eq!(bits(&last[15]), bits(expected), "{architecture} row {idx} last");
                // The seventeenth request opens a second batch.
                let mut many = requests(16);
                many.push(one());
                let many = evaluator.evaluate(&many);
                assert_eq!(
                    bits(&many[16]),
                    bits(expected),
                    "{architecture} row {idx} second batch"
                );
            }
            assert!(together[0] != together[1], "different positions have different answers");
        }
    }
}

#[test]
fn priors_are_a_distribution_over_the_legal_actions() {
    let options =
        EvaluatorOptions { batch_size: 4, precision: Precision::Float32, cache_entries: 0 };
    let mut evaluator = evaluator(&network(ARCHITECTURES[0], 1), options);
    for (request, answer) in requests(11).iter().zip(evaluator.evaluate(&requests(11))) {
        assert_eq!(answer.priors.len(), request.actions.len());
        assert!((answer.priors.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(answer.priors.iter().all(|prior| *prior > 0.0));
        assert!((-1.0..=1.0).contains(&answer.value));
    }
    let counters = evaluator.counters();
    assert_eq!((counters.evals, counters.batches, counters.padded_rows), (11, 3, 1));
    assert_eq!((counters.cache_hits, counters.non_finite), (0, 0));
}

#[test]
fn the_cache_changes_no_bit_and_ends_with_its_network() {
    let options =
        EvaluatorOptions { batch_size: 8, precision: Precision::Float32, cache_entries: 64 };
    let mut cached = evaluator(&network(ARCHITECTURES[0], 1), options);
    let plain = EvaluatorOptions { cache_entries: 0, ..options };
    let mut plain = evaluator(&network(ARCHITECTURES[0], 1), plain);
    let expected = plain.evaluate(&requests(20));
    for _ in 0..2 {
        let answers = cached.evaluate(&requests(20));
        assert!(answers.iter().zip(&expected).all(|(a, b)| bits(a) == bits(b)));
    }
    assert_eq!((cached.counters().evals, cached.counters().cache_hits), (20, 20));

    cached.set_network(&network(ARCHITECTURES[0], 2)).unwrap();
    let other = cached.evaluate(&requests(20));
    assert!(other.iter().zip(&expected).all(|(a, b)| bits(a) != bits(b)));
    assert_eq!(cached.counters().evals, 40);
}

#[test]
fn training_and_inference_compute_the_same_function() {
    for architecture in ARCHITECTURES {
        let network = network(architecture, 9);
        let row_len = network.shape().row_len() as i64;
        let rows = tch::Tensor::arange(8 * row_len, (tch::Kind::Float, tch::Device::Cpu))
            .reshape([8, row_len])
            .sin();
        let prepared = network.prepare(Precision::Float32, 8);
        let (trained, played) = (network.forward(&rows), prepared.forward(&rows));
        for (trained, played) in [(trained.logits, played.logits), (trained.value, played.value)] {
            let difference = (&trained - &played).abs().max().double_value(&[]);
            assert!(difference < 1e-5, "{architecture}: differs by {difference}");
            assert!(played.std(false).double_value(&[]) > 1e-3, "{architecture}: all alike");
        }
    }
}

#[test]
fn broken_weights_are_counted_and_answered_neutrally() {
    let mut broken = network(ARCHITECTURES[1], 1);
    broken.set_trainable(false);
    for parameter in broken.parameters() {
        let _ = parameter.shallow_clone().fill_(f64::NAN);
    }
    let options =
        EvaluatorOptions { batch_size: 4, precision: Precision::Float32, cache_entries: 0 };
    let mut evaluator = evaluator(&broken, options);
    let answer = evaluator.evaluate(&requests(1)).remove(0);
    assert_eq!(answer, Evaluation { value: 0.0, priors: vec![1.0 / 7.0; 7] });
    assert_eq!(evaluator.counters().non_finite, 1);
}

#[test]
fn the_first_weights_follow_from_the_seed_alone() {
    for architecture in ARCHITECTURES {
        let first = network(architecture, 3);
        tch::manual_seed(77);
        let again = network(architecture, 3);
        assert_eq!(first.values(), again.values());
        assert_ne!(first.values(), network(architecture, 4).values());
        assert_eq!(
            first.n_parameters(),
            first.values().iter().map(|(_, v)| v.len()).sum::<usize>()
        );
    }
}
