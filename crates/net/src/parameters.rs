//! The parameters of a network: names, sizes and first values.

use crate::{Architecture, NetworkShape};
use game::Stream;

/// One parameter tensor as an architecture and a shape define it.
#[derive(Clone, PartialEq, Debug)]
pub struct ParameterSpec {
    pub name: String,
    pub size: Vec<i64>,
    /// First values are uniform in ±bound; 0 for a tensor that starts at zero.
    pub init_bound: f64,
}

impl ParameterSpec {
    fn new(name: &str, size: &[usize], init_bound: f64) -> ParameterSpec {
        let size = size.iter().map(|len| *len as i64).collect();
        ParameterSpec { name: name.to_owned(), size, init_bound }
    }

    pub fn numel(&self) -> usize {
        self.size.iter().product::<i64>() as usize
    }

    /// Uniform values are made with additions and multiplications alone, so that a seed gives the same bits on
    /// every machine.
    pub(crate) fn draw(&self, stream: &mut Stream) -> Vec<f32> {
        (0..self.numel()).map(|_| ((stream.unit() * 2.0 - 1.0) * self.init_bound) as f32).collect()
    }
}

/// The bound of a uniform distribution that keeps the variance of a rectified layer (He et al. 2015).
fn he(fan_in: usize) -> f64 {
    (6.0 / fan_in as f64).sqrt()
}

/// Small first logits and values: a fresh network neither prefers an action nor judges a position.
const HEAD_GAIN: f64 = 0.1;

pub(crate) fn specs(architecture: Architecture, shape: &NetworkShape) -> Vec<ParameterSpec> {
    match architecture {
        Architecture::Residual { blocks, channels, value_hidden } => {
            residual(blocks, channels, value_hidden, shape)
        }
        Architecture::Mlp { hidden } => mlp(hidden, shape),
    }
}

/// Without normalisation the second convolution of a block starts near zero and the first is scaled down with
/// the depth (Fixup: Zhang, Dauphin and Ma 2019).
fn residual(
    blocks: usize,
    channels: usize,
    hidden: usize,
    shape: &NetworkShape,
) -> Vec<ParameterSpec> {
    let spec = ParameterSpec::new;
    let n_taps = shape.kernel().taps().len();
    let (planes, globals) = (shape.feature_planes, shape.feature_globals);
    let stem_bound = he(planes + globals);
    let mut specs = vec![
        spec("stem.weight", &[planes, channels], stem_bound),
        spec("stem.bias", &[channels], 0.0),
        spec("stem.globals", &[channels, globals], stem_bound),
    ];
    let depth_gain = 1.0 / (blocks.max(1) as f64).sqrt();
    let block_bound = he(n_taps * channels);
    for block in 0..blocks {
        for (part, gain) in [("first", depth_gain), ("second", HEAD_GAIN)] {
            specs.push(spec(
                &format!("block{block}.{part}.weight"),
                &[n_taps, channels, channels],
                block_bound * gain,
            ));
            specs.push(spec(&format!("block{block}.{part}.bias"), &[channels], 0.0));
        }
    }
    specs.push(spec("policy.weight", &[shape.policy_planes, channels], he(channels) * HEAD_GAIN));
    specs.push(spec("policy.bias", &[shape.policy_planes], 0.0));
    let pooled_bound = he(2 * channels + globals);
    specs.push(spec("pooled.weight", &[hidden, 2 * channels], pooled_bound));
    specs.push(spec("pooled.globals", &[hidden, globals], pooled_bound));
    specs.push(spec("pooled.bias", &[hidden], 0.0));
    specs.push(spec("flat.weight", &[shape.policy_flat, hidden], he(hidden) * HEAD_GAIN));
    specs.push(spec("flat.bias", &[shape.policy_flat], 0.0));
    specs.push(spec("value.weight", &[1, hidden], he(hidden) * HEAD_GAIN));
    specs.push(spec("value.bias", &[1], 0.0));
    specs
}

fn mlp(hidden: usize, shape: &NetworkShape) -> Vec<ParameterSpec> {
    let spec = ParameterSpec::new;
    vec![
        spec("first.weight", &[hidden, shape.row_len()], he(shape.row_len())),
        spec("first.bias", &[hidden], 0.0),
        spec("second.weight", &[hidden, hidden], he(hidden)),
        spec("second.bias", &[hidden], 0.0),
        spec("policy.weight", &[shape.n_logits(), hidden], he(hidden) * HEAD_GAIN),
        spec("policy.bias", &[shape.n_logits()], 0.0),
        spec("value.weight", &[1, hidden], he(hidden) * HEAD_GAIN),
        spec("value.bias", &[1], 0.0),
    ]
}
