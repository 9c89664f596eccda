//! The residual network: convolutions over the board that never see a cell outside it.

use crate::network::{Cursor, Output};
use tch::{Kind, Tensor};

/// Parameters ready for a forward pass: kernels masked, kinds as they are computed in.
pub(crate) struct Residual {
    stem: Convolution,
    globals: Tensor,
    blocks: Vec<[Convolution; 2]>,
    policy: Convolution,
    pooled: Tensor,
    pooled_globals: Tensor,
    pooled_bias: Tensor,
    flat: Linear,
    value: Linear,
    /// [1, 1, height, width]: 1 on the board.
    cells: Tensor,
    n_board_cells: f64,
    /// [planes, height, width]
    input: [i64; 3],
}

pub(crate) struct Convolution {
    weight: Tensor,
    bias: Tensor,
}

pub(crate) struct Linear {
    pub weight: Tensor,
    pub bias: Tensor,
}

impl Linear {
    pub fn take(cursor: &mut Cursor) -> Linear {
        Linear { weight: cursor.next(), bias: cursor.next() }
    }

    pub fn forward(&self, input: &Tensor) -> Tensor {
        input.linear(&self.weight, Some(&self.bias))
    }
}

impl Convolution {
    fn take(cursor: &mut Cursor, kernel: Option<&Tensor>) -> Convolution {
        let weight = cursor.next();
        let weight = kernel.map_or_else(|| weight.shallow_clone(), |kernel| &weight * kernel);
        Convolution { weight, bias: cursor.next() }
    }

    fn forward(&self, input: &Tensor) -> Tensor {
        let padding = (self.weight.size()[2] - 1) / 2;
        input.conv2d(&self.weight, Some(&self.bias), [1, 1], [padding, padding], [1, 1], 1)
    }
}

impl Residual {
    pub fn build(cursor: &mut Cursor, blocks: usize) -> Residual {
        let kind = cursor.kind();
        let shape = cursor.shape();
        let (height, width) = (shape.height as i64, shape.width as i64);
        let input = [shape.feature_planes as i64, height, width];
        let n_board_cells = shape.n_board_cells() as f64;
        let kernel = Tensor::from_slice(&shape.kernel().mask()).reshape([1, 1, 3, 3]).to_kind(kind);
        let cells =
            Tensor::from_slice(&shape.cell_mask()).reshape([1, 1, height, width]).to_kind(kind);
        let kernel = Some(&kernel);
        Residual {
            stem: Convolution::take(cursor, kernel),
            globals: cursor.next(),
            blocks: (0..blocks)
                .map(|_| [Convolution::take(cursor, kernel), Convolution::take(cursor, kernel)])
                .collect(),
            policy: Convolution::take(cursor, None),
            pooled: cursor.next(),
            pooled_globals: cursor.next(),
            pooled_bias: cursor.next(),
            flat: Linear::take(cursor),
            value: Linear::take(cursor),
            cells,
            n_board_cells,
            input,
        }
    }

    /// `rows` is [batch, row_len].
    pub fn forward(&self, rows: &Tensor) -> Output {
        let batch = rows.size()[0];
        let [planes, height, width] = self.input;
        let spatial_len = planes * height * width;
        let row_len = rows.size()[1];
        let spatial = rows.narrow(1, 0, spatial_len).reshape([batch, planes, height, width]);
        let globals = rows.narrow(1, spatial_len, row_len - spatial_len);

        let per_channel = globals.linear(&self.globals, None::<Tensor>);
        let mut trunk = (self.stem.forward(&spatial) + per_channel.unsqueeze(-1).unsqueeze(-1))
            .relu()
            * &self.cells;
        for [first, second] in &self.blocks {
            let inner = first.forward(&trunk).relu() * &self.cells;
            trunk = (second.forward(&inner) + trunk).relu() * &self.cells;
        }
        let maps = self.policy.forward(&trunk).reshape([batch, -1]);
        let mean =
            trunk.sum_dim_intlist([2i64, 3].as_slice(), false, None::<Kind>) / self.n_board_cells;
        let most = trunk.amax([2i64, 3].as_slice(), false);
        let pooled = Tensor::cat(&[mean, most], 1).linear(&self.pooled, Some(&self.pooled_bias));
        let hidden = (pooled + globals.linear(&self.pooled_globals, None::<Tensor>)).relu();
        Output {
            logits: Tensor::cat(&[maps, self.flat.forward(&hidden)], 1),
            value: self.value.forward(&hidden).tanh().squeeze_dim(1),
        }
    }
}
