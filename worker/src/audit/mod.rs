//! `muster audit show | verify`: looks at the truth of a run's games, apart from training.
//!
//! | command | reads |
//! |---|---|
//! | `show` | the audit root |
//! | `verify` | the audit root, the training root, the checkpoints |

pub mod again;
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
}

/// Entry point of the commands.
pub fn run(args: AuditArgs) -> anyhow::Result<Exit> {
    match args.command {
        AuditCommand::Show(args) => show::run(args),
        AuditCommand::Verify(args) => verify::run(args),
    }
}
