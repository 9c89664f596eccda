//! Self-play: jobs in, shards out.
//!
//! | file | what it is |
//! |---|---|
//! | `game` | one game: the referee's truth, a search for each seat, the record of every ply |
//! | `pool` | many games on one thread, one batched evaluator |
//! | `job` | a leased job as the play threads see it |
//! | `thread` | one play thread: games, jobs, networks |
//! | `shards` | finished games as training and audit rows, in closed local files |
//! | `command` | `muster-worker run` |
//! | `service` | the tasks that lease, renew, upload and commit |

pub mod command;
pub mod game;
pub mod job;
pub mod pool;
pub mod service;
pub mod shards;
pub mod thread;
