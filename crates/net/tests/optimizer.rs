//! Proves that our AdamW is torch's, and that a saved state goes on as if it had never stopped.

use net::{AdamW, AdamWParams, clip_gradients, use_one_thread};
use tch::{Device, Kind, Tensor};

/// A function with a curved surface and differently scaled directions.
fn loss(parameters: &[Tensor], step: i64) -> Tensor {
    let [matrix, vector] = parameters else { panic!("two parameters") };
    let input =
        Tensor::arange(6, (matrix.kind(), Device::Cpu)).reshape([2, 3]) * 0.3 + step as f64 * 0.01;
    let output = (input.mm(matrix) + vector).tanh();
    (output - 0.25).square().sum(matrix.kind()) + vector.sin().sum(matrix.kind()) * 0.1
}

fn start() -> Vec<Tensor> {
    let matrix = Tensor::arange(12, (Kind::Float, Device::Cpu)).reshape([3, 4]).cos();
    let vector = Tensor::arange(4, (Kind::Float, Device::Cpu)).sin();
    vec![matrix, vector]
}

fn trainable(tensors: &[Tensor]) -> Vec<Tensor> {
    tensors.iter().map(|tensor| tensor.copy().set_requires_grad(true)).collect()
}

fn train(optimizer: &mut AdamW, parameters: &[Tensor], steps: std::ops::Range<i64>) {
    for step in steps {
        loss(parameters, step).backward();
        optimizer.update(parameters);
    }
}

/// The largest difference from torch's optimizer, and the smallest way a parameter tensor went.
fn against_torch(kind: Kind) -> (f64, f64) {
    use_one_thread();
    let start: Vec<Tensor> = start().iter().map(|tensor| tensor.to_kind(kind)).collect();
    let params = AdamWParams { learning_rate: 2e-3, weight_decay: 0.05, ..AdamWParams::default() };
    let ours = trainable(&start);
    train(&mut AdamW::new(params, &ours), &ours, 0..100);

    let theirs: Vec<Tensor> = trainable(&start);
    let mut torch = tch::COptimizer::adamw(2e-3, 0.9, 0.999, 0.05, 1e-8, false).unwrap();
    theirs.iter().for_each(|parameter| torch.add_parameters(parameter, 0).unwrap());
    for step in 0..100 {
        torch.zero_grad().unwrap();
        loss(&theirs, step).backward();
        torch.step().unwrap();
    }
    let most = |tensor: Tensor| tensor.abs().max().double_value(&[]);
    let pairs = || ours.iter().zip(&theirs);
    let difference = pairs().map(|(ours, theirs)| most(ours - theirs)).fold(0.0, f64::max);
    let way = ours.iter().zip(&start).map(|(ours, start)| most(ours - start));
    (difference, way.fold(f64::INFINITY, f64::min))
}

#[test]
fn a_hundred_steps_equal_torchs_own() {
    let (difference, way) = against_torch(Kind::Float);
    assert!(difference < 1e-6, "differs by {difference} in float32");
    assert!(way > 0.05, "the parameters hardly moved: {way}");
    // In double precision only another formula could differ.
    let (difference, _) = against_torch(Kind::Double);
    assert!(difference < 1e-13, "differs by {difference} in float64");
}

#[test]
fn clipping_scales_the_common_norm() {
    let parameters = trainable(&start());
    loss(&parameters, 0).backward();
    let before = clip_gradients(&parameters, 0.5);
    assert!(before > 0.5);
    let after = clip_gradients(&parameters, f64::INFINITY);
    assert!((after - 0.5).abs() < 1e-5, "{after}");
    assert!((clip_gradients(&parameters, 1.0) - after).abs() < 1e-9);
}
