//! Named float32 tensors as safetensors bytes, verified on the way in.

use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use tch::{Kind, Tensor};

/// Why bytes are not the tensors that were wanted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TensorFileError {
    #[error("is no safetensors file: {0}")]
    Form(String),
    #[error("tensor {0} is missing")]
    Missing(String),
    #[error("tensor {0} does not belong to this network")]
    Unknown(String),
    #[error("tensor {name} is {found}, expected {expected}")]
    Kind { name: String, found: String, expected: String },
    #[error("tensor {0} holds a number that is not finite")]
    NotFinite(String),
}

/// The same tensors give the same bytes.
pub(crate) fn encode<'a>(named: impl Iterator<Item = (String, &'a Tensor)>) -> Vec<u8> {
    let raw: Vec<(String, Vec<usize>, Vec<u8>)> = named
        .map(|(name, tensor)| {
            let shape = tensor.size().iter().map(|len| *len as usize).collect();
            let mut values = vec![0.0f32; tensor.numel()];
            tensor.copy_data(&mut values, tensor.numel());
            let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            (name, shape, bytes)
        })
        .collect();
    let views = raw.iter().map(|(name, shape, bytes)| {
        let view = TensorView::new(Dtype::F32, shape.clone(), bytes)
            .expect("a tensor has as many numbers as its shape says");
        (name.as_str(), view)
    });
    safetensors::serialize(views, None).expect("names are unique and short")
}

/// The tensors `wanted` by name and size, in that order: no more, no fewer, all float32 and finite.
pub(crate) fn decode(
    bytes: &[u8],
    wanted: &[(String, Vec<i64>)],
) -> Result<Vec<Tensor>, TensorFileError> {
    let file = SafeTensors::deserialize(bytes)
        .map_err(|error| TensorFileError::Form(error.to_string()))?;
    if let Some(name) =
        file.names().into_iter().find(|name| !wanted.iter().any(|(known, _)| known == name))
    {
        return Err(TensorFileError::Unknown(name.to_owned()));
    }
    wanted
        .iter()
        .map(|(name, size)| {
            let view = file.tensor(name).map_err(|_| TensorFileError::Missing(name.clone()))?;
            decode_one(name, &view, size)
        })
        .collect()
}

fn decode_one(name: &str, view: &TensorView<'_>, size: &[i64]) -> Result<Tensor, TensorFileError> {
    let shape: Vec<i64> = view.shape().iter().map(|len| *len as i64).collect();
    if view.dtype() != Dtype::F32 || shape != size {
        return Err(TensorFileError::Kind {
            name: name.to_owned(),
            found: format!("{:?} {shape:?}", view.dtype()),
            expected: format!("F32 {size:?}"),
        });
    }
    let number = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    if !view.data().chunks_exact(4).all(|bytes| number(bytes).is_finite()) {
        return Err(TensorFileError::NotFinite(name.to_owned()));
    }
    Tensor::f_from_data_size(view.data(), size, Kind::Float)
        .map_err(|error| TensorFileError::Form(error.to_string()))
}
