//! A network: parameters by name, and the forward pass over them.

use crate::mlp::Mlp;
use crate::parameters::{self, ParameterSpec};
use crate::residual::{Residual, Scratch};
use crate::{Architecture, ArchitectureOutOfRange, InvalidShape, NetworkShape};
use game::Stream;
use tch::{Kind, Tensor};

/// What one forward pass gives for each row of a batch.
pub struct Output {
    /// \[batch, n_logits\], where [`LogitPlaces`](crate::LogitPlaces) says; not normalised, illegal actions
    /// included.
    pub logits: Tensor,
    /// \[batch\], in [-1, 1], expected result for the seat to act.
    pub value: Tensor,
}

/// Parameters in float32 on the CPU. Cloning copies them.
pub struct Network {
    architecture: Architecture,
    shape: NetworkShape,
    specs: Vec<ParameterSpec>,
    parameters: Vec<Tensor>,
}

/// A network that cannot be built.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetworkError {
    #[error(transparent)]
    Architecture(#[from] ArchitectureOutOfRange),
    #[error(transparent)]
    Shape(#[from] InvalidShape),
}

impl Network {
    /// Random first weights. The same seed gives the same bits on every machine.
    pub fn random(
        architecture: Architecture,
        shape: NetworkShape,
        seed: u64,
    ) -> Result<Network, NetworkError> {
        let mut stream = Stream::from_seed(seed);
        Network::filled(architecture, shape, |spec| spec.draw(&mut stream))
    }

    /// A network whose parameters `fill` gives in the order of their specs.
    pub(crate) fn filled(
        architecture: Architecture,
        shape: NetworkShape,
        mut fill: impl FnMut(&ParameterSpec) -> Vec<f32>,
    ) -> Result<Network, NetworkError> {
        let specs = Network::specs_of(architecture, &shape)?;
        let parameters =
            specs.iter().map(|spec| Tensor::from_slice(&fill(spec)).reshape(&spec.size)).collect();
        Ok(Network { architecture, shape, specs, parameters })
    }

    /// What the parameters of a network are called and how large they are. Allocates none of them.
    pub(crate) fn specs_of(
        architecture: Architecture,
        shape: &NetworkShape,
    ) -> Result<Vec<ParameterSpec>, NetworkError> {
        architecture.validate()?;
        shape.validate()?;
        Ok(parameters::specs(architecture, shape))
    }

    /// `parameters` have the order and sizes of `specs`, which belong to this architecture and shape.
    pub(crate) fn from_parts(
        architecture: Architecture,
        shape: NetworkShape,
        specs: Vec<ParameterSpec>,
        parameters: Vec<Tensor>,
    ) -> Network {
        Network { architecture, shape, specs, parameters }
    }

    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    pub fn shape(&self) -> &NetworkShape {
        &self.shape
    }

    pub fn specs(&self) -> &[ParameterSpec] {
        &self.specs
    }

    /// The parameters in the order of [`Network::specs`].
    pub fn parameters(&self) -> &[Tensor] {
        &self.parameters
    }

    pub fn n_parameters(&self) -> usize {
        self.specs.iter().map(ParameterSpec::numel).sum()
    }

    /// The values of every parameter, by name.
    pub fn values(&self) -> Vec<(&str, Vec<f32>)> {
        let values = |tensor: &Tensor| {
            let mut values = vec![0.0; tensor.numel()];
            tensor.copy_data(&mut values, tensor.numel());
            values
        };
        self.specs.iter().zip(&self.parameters).map(|(s, t)| (s.name.as_str(), values(t))).collect()
    }

    /// Whether every parameter is a finite number.
    pub fn is_finite(&self) -> bool {
        self.parameters.iter().all(|tensor| tensor.isfinite().all().int64_value(&[]) == 1)
    }

    /// Whether the parameters collect gradients in [`Network::forward`].
    pub fn set_trainable(&mut self, trainable: bool) {
        for parameter in &mut self.parameters {
            *parameter = parameter.set_requires_grad(trainable);
        }
    }

    /// Forward pass of `rows` ([batch, row_len], float32), with gradients where the parameters ask for them.
    pub fn forward(&self, rows: &Tensor) -> Output {
        self.build(Kind::Float).forward(rows, None)
    }

    /// The parameters laid out for many forward passes of `batch_size` rows without gradients. They are copied:
    /// what training does afterwards does not show.
    pub fn prepare(&self, precision: Precision, batch_size: usize) -> Prepared {
        tch::no_grad(|| {
            let kind = precision.kind();
            let body = self.clone().build(kind);
            let scratch = match &body {
                Body::Residual(residual) => Some(residual.scratch(batch_size as i64, kind)),
                Body::Mlp(_) => None,
            };
            Prepared { body, kind, scratch, batch_size }
        })
    }

    fn build(&self, kind: Kind) -> Body {
        let mut cursor = Cursor { network: self, next: 0, kind };
        match self.architecture {
            Architecture::Residual { blocks, .. } => {
                Body::Residual(Box::new(Residual::build(&mut cursor, blocks)))
            }
            Architecture::Mlp { .. } => Body::Mlp(Box::new(Mlp::build(&mut cursor))),
        }
    }
}

impl Clone for Network {
    fn clone(&self) -> Self {
        Network {
            architecture: self.architecture,
            shape: self.shape.clone(),
            specs: self.specs.clone(),
            parameters: self.parameters.iter().map(|tensor| tensor.detach().copy()).collect(),
        }
    }
}

/// The number format of inference. Training is always float32.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    Float32,
    Bfloat16,
}

impl Precision {
    pub(crate) fn kind(self) -> Kind {
        match self {
            Precision::Float32 => Kind::Float,
            Precision::Bfloat16 => Kind::BFloat16,
        }
    }
}

impl std::fmt::Display for Precision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Precision::Float32 => "float32",
            Precision::Bfloat16 => "bfloat16",
        })
    }
}

/// A network for inference alone, with the memory of one batch shape.
pub struct Prepared {
    body: Body,
    kind: Kind,
    scratch: Option<Scratch>,
    batch_size: usize,
}

impl Prepared {
    /// Forward pass of `rows` ([batch_size, row_len], float32) without gradients; the answer is float32.
    pub fn forward(&self, rows: &Tensor) -> Output {
        assert_eq!(rows.size()[0], self.batch_size as i64, "the batch shape is fixed");
        tch::no_grad(|| {
            let output = self.body.forward(&rows.to_kind(self.kind), self.scratch.as_ref());
            Output {
                logits: output.logits.to_kind(Kind::Float),
                value: output.value.to_kind(Kind::Float),
            }
        })
    }
}

enum Body {
    Residual(Box<Residual>),
    Mlp(Box<Mlp>),
}

impl Body {
    fn forward(&self, rows: &Tensor, scratch: Option<&Scratch>) -> Output {
        match self {
            Body::Residual(residual) => residual.forward(rows, scratch),
            Body::Mlp(mlp) => mlp.forward(rows),
        }
    }
}

/// Hands out the parameters in the order of their specs, in the wanted kind.
pub(crate) struct Cursor<'a> {
    network: &'a Network,
    next: usize,
    kind: Kind,
}

impl Cursor<'_> {
    pub fn next(&mut self) -> Tensor {
        let tensor = &self.network.parameters[self.next];
        self.next += 1;
        tensor.to_kind(self.kind)
    }

    pub fn shape(&self) -> &NetworkShape {
        &self.network.shape
    }
}
