//! A forward pass with known answers, made at every start: a libtorch that computes wrong numbers must not play
//! or train a single row.

use crate::{Architecture, Network, NetworkShape, Precision};
use tch::Tensor;

/// The answer of this machine differs from the known one.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error(
    "golden forward pass failed ({network}, {precision}): {what} is {found}, expected {expected} ± {tolerance}; \
     this libtorch does not compute correctly on this machine: check its version and the processor's features \
     with `muster doctor`"
)]
pub struct GoldenMismatch {
    pub network: Architecture,
    pub precision: Precision,
    pub what: &'static str,
    pub found: f32,
    pub expected: f32,
    pub tolerance: f32,
}

/// One network of fixed weights and what it answers.
struct Case {
    architecture: Architecture,
    /// The value of the second row, and the logits of the second row of the actions [`LOGITS`].
    value: f32,
    logits: [f32; LOGITS.len()],
}

const LOGITS: [u16; 5] = [3, 24, 60, 94, 100];

const CASES: [Case; 2] = [
    Case {
        architecture: Architecture::Residual { blocks: 2, channels: 8, value_hidden: 16 },
        value: -0.694_939,
        logits: [0.243_918, 0.035_105, 0.746_289, 0.512_378, 0.544_352],
    },
    Case {
        architecture: Architecture::Mlp { hidden: 16 },
        value: 0.477_885,
        logits: [1.009_467, 1.094_891, -1.206_985, -0.671_039, -1.557_46],
    },
];

/// Computes both golden networks in `precision`.
pub fn check(precision: Precision) -> Result<(), GoldenMismatch> {
    // bfloat16 keeps 8 bits: one part in 256 at each of a dozen roundings.
    let tolerance = match precision {
        Precision::Float32 => 1e-4,
        Precision::Bfloat16 => 5e-2,
    };
    for case in &CASES {
        let (value, logits) = compute(case.architecture, precision);
        let compare = |what, found: f32, expected: f32| {
            if (found - expected).abs() <= tolerance {
                return Ok(());
            }
            let network = case.architecture;
            Err(GoldenMismatch { network, precision, what, found, expected, tolerance })
        };
        compare("value", value, case.value)?;
        for (found, expected) in logits.into_iter().zip(case.logits) {
            compare("logit", found, expected)?;
        }
    }
    Ok(())
}

/// A hexagon of radius 3 in a 7 × 7 grid, as War Chest's board is.
pub(crate) fn golden_shape() -> NetworkShape {
    let cell = |idx: i32| if (idx / 7 + idx % 7 - 6).abs() <= 3 { '#' } else { '.' };
    NetworkShape {
        height: 7,
        width: 7,
        feature_planes: 3,
        feature_globals: 5,
        policy_planes: 2,
        policy_flat: 3,
        board: (0..49).map(cell).collect(),
    }
}

/// Numbers in ±0.5 without pattern, from integers alone.
fn number(idx: usize) -> f32 {
    let mixed = (idx as u32).wrapping_mul(2_654_435_761) >> 16;
    mixed as f32 / 65_536.0 - 0.5
}

pub(crate) fn golden_network(architecture: Architecture) -> Network {
    let mut first = 1;
    Network::filled(architecture, golden_shape(), |spec| {
        let values = (first..first + spec.numel()).map(number).collect();
        first += spec.numel();
        values
    })
    .unwrap_or_else(|error| unreachable!("the golden networks have valid sizes: {error}"))
}

/// Three rows, zero off the board as every game's features are.
pub(crate) fn golden_rows() -> Vec<f32> {
    let shape = golden_shape();
    (0..3 * shape.row_len())
        .map(|idx| {
            let place = idx % shape.row_len();
            let on_board = place >= shape.spatial_len()
                || shape.board.as_bytes()[place % shape.n_cells()] == b'#';
            if on_board { number(idx + 7_919) } else { 0.0 }
        })
        .collect()
}

fn compute(architecture: Architecture, precision: Precision) -> (f32, [f32; LOGITS.len()]) {
    let shape = golden_shape();
    let rows = Tensor::from_slice(&golden_rows()).reshape([3, shape.row_len() as i64]);
    let output = golden_network(architecture).prepare(precision, 3).forward(&rows);
    let places = shape.logit_places();
    let value = output.value.double_value(&[1]) as f32;
    let logits = LOGITS.map(|action| {
        places
            .place(action)
            .map_or(f32::NAN, |place| output.logits.double_value(&[1, place as i64]) as f32)
    });
    (value, logits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same arithmetic in plain loops over hexes and their six neighbours, in f64: no grid convolution, no
    /// masks, no libtorch.
    struct Twin {
        values: Vec<(String, Vec<f64>)>,
        shape: NetworkShape,
        hexes: Vec<(i32, i32)>,
    }

    type Maps = Vec<Vec<f64>>;

    impl Twin {
        fn new(architecture: Architecture) -> Twin {
            let network = golden_network(architecture);
            let values = network
                .values()
                .into_iter()
                .map(|(name, values)| {
                    (name.to_owned(), values.into_iter().map(f64::from).collect())
                })
                .collect();
            let hexes = (-3..=3)
                .flat_map(|row| (-3..=3).map(move |column| (row, column)))
                .filter(|(row, column)| (row + column as &i32).abs() <= 3)
                .collect();
            Twin { values, shape: golden_shape(), hexes }
        }

        fn get(&self, name: &str) -> &[f64] {
            &self.values.iter().find(|(known, _)| known == name).expect(name).1
        }

        fn linear(&self, weight: &str, input: &[f64]) -> Vec<f64> {
            self.get(weight)
                .chunks(input.len())
                .map(|weights| weights.iter().zip(input).map(|(w, x)| w * x).sum())
                .collect()
        }

        fn add(&self, to: &mut [f64], bias: &str) {
            to.iter_mut().zip(self.get(bias)).for_each(|(x, b)| *x += b);
        }

        /// maps[channel][hex] to maps[channel][hex] over a hex and its six neighbours.
        fn convolve(&self, name: &str, maps: &Maps) -> Maps {
            let weights = self.get(&format!("{name}.weight"));
            let bias = self.get(&format!("{name}.bias"));
            let steps = [(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0), (-1, 1), (1, -1)];
            let at = |out: usize, hex: &(i32, i32)| -> f64 {
                let mut sum = bias[out];
                for (channel, map) in maps.iter().enumerate() {
                    for (tap, (d_row, d_column)) in steps.iter().enumerate() {
                        let there = (hex.0 + d_row, hex.1 + d_column);
                        let Some(idx) = self.hexes.iter().position(|h| *h == there) else {
                            continue;
                        };
                        let place = (tap * maps.len() + channel) * bias.len() + out;
                        sum += weights[place] * map[idx];
                    }
                }
                sum
            };
            let map = |out: usize| self.hexes.iter().map(|hex| at(out, hex)).collect();
            (0..bias.len()).map(map).collect()
        }

        /// Each hex alone.
        fn stem(&self, planes: &Maps) -> Maps {
            let (weights, bias) = (self.get("stem.weight"), self.get("stem.bias"));
            let at = |out: usize, hex: usize| -> f64 {
                let sum =
                    |(plane, map): (usize, &Vec<f64>)| weights[plane * bias.len() + out] * map[hex];
                bias[out] + planes.iter().enumerate().map(sum).sum::<f64>()
            };
            let map = |out: usize| (0..self.hexes.len()).map(|hex| at(out, hex)).collect();
            (0..bias.len()).map(map).collect()
        }

        fn residual(&self, row: &[f32], blocks: usize) -> (f64, Vec<f64>) {
            let cell = |hex: &(i32, i32)| ((hex.0 + 3) * 7 + hex.1 + 3) as usize;
            let planes: Maps = (0..self.shape.feature_planes)
                .map(|plane| {
                    self.hexes.iter().map(|h| f64::from(row[plane * 49 + cell(h)])).collect()
                })
                .collect();
            let globals: Vec<f64> =
                row[self.shape.spatial_len()..].iter().map(|x| f64::from(*x)).collect();
            let relu = |maps: &mut Maps| maps.iter_mut().flatten().for_each(|x| *x = x.max(0.0));
            let mut trunk = self.stem(&planes);
            let per_channel = self.linear("stem.globals", &globals);
            for (map, add) in trunk.iter_mut().zip(per_channel) {
                map.iter_mut().for_each(|x| *x += add);
            }
            relu(&mut trunk);
            for block in 0..blocks {
                let mut inner = self.convolve(&format!("block{block}.first"), &trunk);
                relu(&mut inner);
                let outer = self.convolve(&format!("block{block}.second"), &inner);
                for (x, y) in trunk.iter_mut().flatten().zip(outer.iter().flatten()) {
                    *x += y;
                }
                relu(&mut trunk);
            }
            let mean = |map: &Vec<f64>| map.iter().sum::<f64>() / map.len() as f64;
            let most = |map: &Vec<f64>| map.iter().copied().fold(0.0, f64::max);
            let pooled: Vec<f64> = trunk.iter().map(mean).chain(trunk.iter().map(most)).collect();
            let mut hidden = self.linear("pooled.weight", &pooled);
            let from_globals = self.linear("pooled.globals", &globals);
            hidden.iter_mut().zip(from_globals).for_each(|(x, add)| *x += add);
            self.add(&mut hidden, "pooled.bias");
            hidden.iter_mut().for_each(|x| *x = x.max(0.0));
            let mut logits = vec![0.0; self.shape.n_actions()];
            for (idx, hex) in self.hexes.iter().enumerate() {
                let here: Vec<f64> = trunk.iter().map(|map| map[idx]).collect();
                let mut maps = self.linear("policy.weight", &here);
                self.add(&mut maps, "policy.bias");
                for (plane, logit) in maps.into_iter().enumerate() {
                    logits[plane * 49 + cell(hex)] = logit;
                }
            }
            let mut flat = self.linear("flat.weight", &hidden);
            self.add(&mut flat, "flat.bias");
            logits[self.shape.policy_planes * 49..].copy_from_slice(&flat);
            let mut value = self.linear("value.weight", &hidden);
            self.add(&mut value, "value.bias");
            (value[0].tanh(), logits)
        }

        fn mlp(&self, row: &[f32]) -> (f64, Vec<f64>) {
            let mut x: Vec<f64> = row.iter().map(|x| f64::from(*x)).collect();
            for layer in ["first", "second"] {
                x = self.linear(&format!("{layer}.weight"), &x);
                self.add(&mut x, &format!("{layer}.bias"));
                x.iter_mut().for_each(|x| *x = x.max(0.0));
            }
            let mut compact = self.linear("policy.weight", &x);
            self.add(&mut compact, "policy.bias");
            let places = self.shape.logit_places();
            let logits = (0..self.shape.n_actions() as u16)
                .map(|action| places.place(action).map_or(0.0, |place| compact[place]))
                .collect();
            let mut value = self.linear("value.weight", &x);
            self.add(&mut value, "value.bias");
            (value[0].tanh(), logits)
        }
    }

    #[test]
    fn the_known_answers_are_those_of_the_twin() {
        let row_len = golden_shape().row_len();
        let rows = golden_rows();
        for case in &CASES {
            let twin = Twin::new(case.architecture);
            let row = &rows[row_len..2 * row_len];
            let (value, logits) = match case.architecture {
                Architecture::Residual { blocks, .. } => twin.residual(row, blocks),
                Architecture::Mlp { .. } => twin.mlp(row),
            };
            let known = LOGITS.map(|action| logits[usize::from(action)]);
            assert!((value - f64::from(case.value)).abs() < 1e-5, "value {value}");
            for (twin, written) in known.iter().zip(case.logits) {
                assert!((twin - f64::from(written)).abs() < 1e-5, "{known:?}");
            }
        }
    }

    #[test]
    fn this_machine_computes_the_known_answers() {
        check(Precision::Float32).unwrap();
        check(Precision::Bfloat16).unwrap();
    }
}
