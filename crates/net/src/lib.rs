//! Networks, tensors, loss and optimizer: the only library here that links libtorch.
//!
//! | who | sees |
//! |---|---|
//! | a network | rows of features, written from what the seat to act may know |
//! | nobody here | a complete state |

pub mod architecture;
pub mod bench;
mod cache;
pub mod checkpoint;
pub mod evaluator;
pub mod golden;
pub mod loss;
mod mlp;
pub mod network;
pub mod numerics;
pub mod optimizer;
pub mod parameters;
mod residual;
pub mod shape;
mod tensors;

pub use architecture::{Architecture, ArchitectureOutOfRange};
pub use checkpoint::{
    Checkpoint, CheckpointError, CheckpointFacts, CheckpointHeader, OptimizerHeader, WindowSummary,
};
pub use evaluator::{EvaluatorCounters, EvaluatorOptions, NetEvaluator, ShapeMismatch};
pub use loss::{Losses, Targets, losses};
pub use network::{Network, NetworkError, Output, Precision, Prepared};
pub use numerics::{kernel_level, numerics, torch_version, use_one_thread, use_threads};
pub use optimizer::{AdamW, AdamWParams, clip_gradients};
pub use parameters::ParameterSpec;
pub use shape::{InvalidShape, Kernel, LogitPlaces, NetworkShape};
pub use tensors::TensorFileError;
