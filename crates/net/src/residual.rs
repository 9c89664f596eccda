//! The residual network over the cells of the board.
//!
//! A hex convolution is one matrix product: each cell's own channels and those of its neighbours stand side by
//! side in one row. Cells off the board have no row, so nothing has to be masked, and on one core this is about
//! twice as fast as a masked 3 × 3 convolution over the whole grid.

use crate::network::{Cursor, Output};
use tch::{Device, Kind, Tensor};

/// Parameters as they are computed with.
pub(crate) struct Residual {
    /// [planes, channels]: the first layer looks at each cell alone.
    stem: Tensor,
    stem_bias: Tensor,
    /// [channels, globals]: what is no place on the board reaches every cell alike.
    stem_globals: Tensor,
    blocks: Vec<[Convolution; 2]>,
    policy: Linear,
    pooled: Tensor,
    pooled_globals: Tensor,
    pooled_bias: Tensor,
    flat: Linear,
    value: Linear,
    board: Board,
}

/// The board as indices.
struct Board {
    /// Grid cell of each board cell.
    cells: Tensor,
    /// Board cell at each tap of each board cell; `n_cells` where there is none.
    neighbours: Tensor,
    n_cells: i64,
    n_grid_cells: i64,
    n_planes: i64,
}

/// [taps · channels, channels] and [channels].
struct Convolution {
    weight: Tensor,
    bias: Tensor,
}

pub(crate) struct Linear {
    weight: Tensor,
    bias: Tensor,
}

/// Memory of one fixed batch shape, used again in every forward pass.
pub(crate) struct Scratch {
    /// [batch, cells + 1, channels] each; the last cell stays zero: it is every neighbour off the board.
    outer: Tensor,
    inner: Tensor,
    /// [batch, cells · taps, channels]
    gathered: Tensor,
    /// [batch · cells, channels]
    product: Tensor,
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
    fn take(cursor: &mut Cursor) -> Convolution {
        let weight = cursor.next();
        let channels = weight.size()[2];
        Convolution { weight: weight.reshape([-1, channels]), bias: cursor.next() }
    }
}

impl Residual {
    pub fn build(cursor: &mut Cursor, blocks: usize) -> Residual {
        let shape = cursor.shape();
        let board = Board {
            cells: indices(&shape.board_cells()),
            neighbours: indices(&shape.neighbours()),
            n_cells: shape.n_board_cells() as i64,
            n_grid_cells: shape.n_cells() as i64,
            n_planes: shape.feature_planes as i64,
        };
        Residual {
            stem: cursor.next(),
            stem_bias: cursor.next(),
            stem_globals: cursor.next(),
            blocks: (0..blocks)
                .map(|_| [Convolution::take(cursor), Convolution::take(cursor)])
                .collect(),
            policy: Linear::take(cursor),
            pooled: cursor.next(),
            pooled_globals: cursor.next(),
            pooled_bias: cursor.next(),
            flat: Linear::take(cursor),
            value: Linear::take(cursor),
            board,
        }
    }

    /// Memory for forward passes of `batch_size` rows.
    pub fn scratch(&self, batch_size: i64, kind: Kind) -> Scratch {
        let zeros = |size: &[i64]| Tensor::zeros(size, (kind, Device::Cpu));
        let channels = self.stem.size()[1];
        let n_cells = self.board.n_cells;
        Scratch {
            outer: zeros(&[batch_size, n_cells + 1, channels]),
            inner: zeros(&[batch_size, n_cells + 1, channels]),
            gathered: zeros(&[batch_size, self.board.neighbours.size()[0], channels]),
            product: zeros(&[batch_size * n_cells, channels]),
        }
    }

    /// `rows` is [batch, row_len]. Without `scratch` gradients may flow; with it they may not, and its batch size
    /// must be that of `rows`. The numbers are the same but for rounding.
    pub fn forward(&self, rows: &Tensor, scratch: Option<&Scratch>) -> Output {
        let batch = rows.size()[0];
        let spatial_len = self.board.n_planes * self.board.n_grid_cells;
        let globals = rows.narrow(1, spatial_len, rows.size()[1] - spatial_len);
        let stem = self.stem(rows, &globals);
        let trunk = match scratch {
            None => self.trunk(stem),
            Some(scratch) => self.trunk_in_place(&stem, scratch),
        };
        let maps = self.policy.forward(&trunk).reshape([batch, -1]);
        let mean = trunk.mean_dim([1i64].as_slice(), false, None::<Kind>);
        let most = trunk.amax([1i64].as_slice(), false);
        let pooled = Tensor::cat(&[mean, most], 1).linear(&self.pooled, Some(&self.pooled_bias));
        let hidden = (pooled + globals.linear(&self.pooled_globals, None::<Tensor>)).relu();
        Output {
            logits: Tensor::cat(&[maps, self.flat.forward(&hidden)], 1),
            value: self.value.forward(&hidden).tanh().squeeze_dim(1),
        }
    }

    /// [batch, cells, channels]
    fn stem(&self, rows: &Tensor, globals: &Tensor) -> Tensor {
        let Board { n_planes, n_grid_cells, cells, .. } = &self.board;
        let batch = rows.size()[0];
        let planes =
            rows.narrow(1, 0, n_planes * n_grid_cells).reshape([batch, *n_planes, *n_grid_cells]);
        let weight = self.stem.unsqueeze(0).expand([batch, -1, -1], false);
        let grid = planes.transpose(1, 2).bmm(&weight);
        let everywhere = globals.linear(&self.stem_globals, Some(&self.stem_bias));
        (grid.index_select(1, cells) + everywhere.unsqueeze(1)).relu()
    }

    fn trunk(&self, stem: Tensor) -> Tensor {
        let size = stem.size();
        let rows_of = |padded: &Tensor, layer: &Convolution| {
            let gathered = padded.index_select(1, &self.board.neighbours);
            let gathered = gathered.reshape([-1, layer.weight.size()[0]]);
            layer.bias.addmm(&gathered, &layer.weight).reshape(&size)
        };
        let off_board = Tensor::zeros([size[0], 1, size[2]], (stem.kind(), Device::Cpu));
        let pad = |cells: &Tensor| Tensor::cat(&[cells, &off_board], 1);
        let mut trunk = stem;
        for [first, second] in &self.blocks {
            let inner = rows_of(&pad(&trunk), first).relu();
            trunk = (rows_of(&pad(&inner), second) + &trunk).relu();
        }
        trunk
    }

    fn trunk_in_place(&self, stem: &Tensor, scratch: &Scratch) -> Tensor {
        let n_cells = self.board.n_cells;
        let mut outer = scratch.outer.narrow(1, 0, n_cells);
        let inner = scratch.inner.narrow(1, 0, n_cells);
        let mut product = scratch.product.view(stem.size().as_slice());
        let convolve = |padded: &Tensor, layer: &Convolution| {
            let _ = padded.index_select_out(&scratch.gathered, 1, &self.board.neighbours);
            let gathered = scratch.gathered.view([-1, layer.weight.size()[0]]);
            let _ = layer.bias.addmm_out(&scratch.product, &gathered, &layer.weight);
        };
        outer.copy_(stem);
        for [first, second] in &self.blocks {
            convolve(&scratch.outer, first);
            let _ = product.relu_out(&inner);
            convolve(&scratch.inner, second);
            let _ = product.g_add_(&outer);
            let _ = product.relu_out(&outer);
        }
        outer
    }
}

fn indices(list: &[usize]) -> Tensor {
    let list: Vec<i64> = list.iter().map(|idx| *idx as i64).collect();
    Tensor::from_slice(&list)
}
