//! Networks, tensors, loss and optimizer: the only library here that links libtorch.
//!
//! | who | sees |
//! |---|---|
//! | a network | rows of features, written from what the seat to act may know |
//! | nobody here | a complete state |

pub mod architecture;
pub mod bench;
mod cache;
pub mod evaluator;
mod mlp;
pub mod network;
pub mod numerics;
pub mod parameters;
mod residual;
pub mod shape;

pub use architecture::{Architecture, ArchitectureOutOfRange};
pub use evaluator::{EvaluatorCounters, EvaluatorOptions, NetEvaluator, ShapeMismatch};
pub use network::{Network, NetworkError, Output, Precision, Prepared};
pub use numerics::{kernel_level, numerics, torch_version, use_one_thread, use_threads};
pub use parameters::ParameterSpec;
pub use shape::{InvalidShape, Kernel, NetworkShape};
