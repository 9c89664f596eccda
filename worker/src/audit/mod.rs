//! `muster audit show | verify | leaks | probe | beliefs | export`: looks at the truth of a run's games, apart from training.
//!
//! | command | reads |
//! |---|---|
//! | `show`, `export`, `beliefs` | the audit root, with the key that opens it |
//! | `verify` | the same, the training root, the checkpoints |
//! | `probe` | the configuration and the last checkpoint: it plays its own games |
//! | `leaks` | nothing: it starts `muster-leaks` |

pub mod again;
pub mod beliefs;
pub mod export;
pub mod leaks;
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
    Leaks(leaks::LeaksArgs),
    Show(show::ShowArgs),
    Verify(verify::VerifyArgs),
    Probe(probe::ProbeArgs),
    Export(export::ExportArgs),
    Beliefs(beliefs::BeliefsArgs),
}

/// Entry point of the commands.
pub fn run(args: AuditArgs) -> anyhow::Result<Exit> {
    match args.command {
        AuditCommand::Leaks(args) => leaks::run(&args),
        AuditCommand::Show(args) => show::run(args),
        AuditCommand::Verify(args) => verify::run(args),
        AuditCommand::Probe(args) => probe::run(&args),
        AuditCommand::Export(args) => export::run(&args),
        AuditCommand::Beliefs(args) => beliefs::run(&args),
    }
}
