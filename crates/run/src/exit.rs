//! Exit codes, and the one place where an error is printed.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// 0
    Done,
    /// 1: it could not be done.
    Failed,
    /// 2: the command line or a configuration is wrong.
    Usage,
    /// 3: a check ran to its end and found problems.
    Problems,
    /// 75: nothing is wrong here, but something needed is not there now; try again.
    TryAgain,
}

impl Exit {
    pub const fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::Problems => 3,
            Exit::TryAgain => 75,
        }
    }

    /// What an error chain asks for: a [`Usage`] or [`TryAgain`] anywhere in it, or a wrong configuration.
    pub fn of_error(error: &anyhow::Error) -> Exit {
        for cause in error.chain() {
            if cause.is::<Usage>() || cause.is::<crate::ConfigError>() {
                return Exit::Usage;
            }
            if cause.is::<TryAgain>() {
                return Exit::TryAgain;
            }
        }
        Exit::Failed
    }
}

/// The command line asks for something that cannot be: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// Something needed is not there now: exit code 75.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct TryAgain(pub String);

/// Runs a binary's command, prints its error chain once, and turns the outcome into the exit code.
pub fn main(command: impl FnOnce() -> anyhow::Result<Exit>) -> ExitCode {
    let exit = match command() {
        Ok(exit) => exit,
        Err(error) => {
            eprintln!("error: {error:#}");
            Exit::of_error(&error)
        }
    };
    ExitCode::from(exit.code())
}
