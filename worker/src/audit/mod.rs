//! `muster audit show | verify | probe`: looks at the truth of a run's games, apart from training.
//!
//! | command | reads |
//! |---|---|
//! | `show` | the audit root |
//! | `verify` | the audit root, the training root, the checkpoints |
//! | `probe` | the configuration and the last checkpoint: it plays its own games |

pub mod again;
pub mod probe;
pub mod run_shards;
pub mod show;
pub mod verify;

use clap::{Args, Subcommand};
use run::Exit;

/// The truth of a run's games, apart from training.
#[derive(Args, Debug)]
pub struct AuditArgs {
    #[command(subcommand)]
    command: AuditCommand,
}

#[derive(Subcommand, Debug)]
enum AuditCommand {
    Show(show::ShowArgs),
    Verify(verify::VerifyArgs),
    Probe(probe::ProbeArgs),
}

/// Entry point of the commands.
pub fn run(args: AuditArgs) -> anyhow::Result<Exit> {
    match args.command {
        AuditCommand::Show(args) => show::run(args),
        AuditCommand::Verify(args) => verify::run(args),
        AuditCommand::Probe(args) => probe::run(&args),
    }
}
