//! The line protocols of chess and Xiangqi programs, without input and output: a [`Session`] takes a line and gives
//! the lines to answer. What thinks is behind the trait [`Thinker`].
//!
//! | | UCI (chess) | UCCI 3.0 (Xiangqi) |
//! |---|---|---|
//! | greeting | `uci` … `uciok` | `ucci` … `ucciok` |
//! | new game | `ucinewgame` | none |
//! | clock | `movetime`, `wtime`, `btime`, `winc`, `binc`, `movestogo` | `time`, `increment`, `movestogo` |
//! | forbidden moves | `searchmoves` is not taken | `banmoves` |
//! | no move | `bestmove 0000` | `nobestmove` |
//! | end | `quit` | `quit`, answered `bye` |

mod dialect;
mod limits;
mod session;
mod thinker;

pub use dialect::Dialect;
pub use limits::{Clock, Limits};
pub use session::Session;
pub use thinker::{Asked, Progress, Score, Thinker};
