//! The line to the coordinator. It may be gone for a while: calls wait and try again.

use proto::v1::{
    AcceptedShard, Checkpoint, DescribeRunRequest, RegisterCheckpointRequest, ReportRequest,
    ReportResponse, RoleReport, RunDescription, WatchAcceptedRequest,
};
use proto::{Client, Code, WireError};
use run::exit::TryAgain;
use std::future::Future;
use std::time::Duration;
use tonic::{Request, Response, Status};

const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// One process's line. Cheap to clone.
#[derive(Clone)]
pub struct Line {
    client: Client,
    address: String,
}

impl Line {
    /// Nothing is connected yet.
    pub fn new(address: &str) -> anyhow::Result<Line> {
        let endpoint = proto::endpoint(address)?;
        Ok(Line { client: proto::client(endpoint.connect_lazy()), address: address.to_owned() })
    }

    /// The run, or an error when no coordinator has answered within `patience`.
    pub async fn describe_run(&self, patience: Duration) -> anyhow::Result<RunDescription> {
        let give_up = tokio::time::Instant::now() + patience;
        let mut pause = FIRST_PAUSE;
        loop {
            let call = |mut client: Client| async move {
                client.describe_run(timed(DescribeRunRequest {})).await
            };
            match once(call(self.client.clone())).await {
                Ok(run) => return Ok(run),
                Err(error) if tokio::time::Instant::now() + pause >= give_up => {
                    let text = format!(
                        "no coordinator answers at {}: {}; is it running, and is the address right?",
                        self.address, error.text
                    );
                    return Err(TryAgain(text).into());
                }
                Err(_) => tokio::time::sleep(pause).await,
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Publishes a checkpoint: repeated until the coordinator has said yes or no, or `give_up` says so.
    pub async fn register(
        &self,
        checkpoint: Checkpoint,
        give_up: impl Fn() -> bool,
    ) -> Result<(), WireError> {
        let mut pause = FIRST_PAUSE;
        loop {
            let request = RegisterCheckpointRequest { checkpoint: Some(checkpoint.clone()) };
            let mut client = self.client.clone();
            match once(client.register_checkpoint(timed(request))).await {
                Ok(_) => return Ok(()),
                Err(error) if error.is_transient() && !give_up() => {
                    tracing::warn!(%error, "coordinator does not answer, trying again");
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Err(error) => return Err(error),
            }
        }
    }

    pub async fn report(&self, report: RoleReport) -> Result<ReportResponse, WireError> {
        let mut client = self.client.clone();
        once(client.report(timed(ReportRequest { report: Some(report) }))).await
    }

    /// Every accepted training shard from `next` on, for ever, in order and without gaps. `take` is given each.
    pub async fn watch_accepted(&self, mut next: u64, mut take: impl FnMut(AcceptedShard)) {
        let mut pause = FIRST_PAUSE;
        loop {
            let mut client = self.client.clone();
            let request = WatchAcceptedRequest { from_sequence: next };
            if let Ok(stream) = client.watch_accepted(request).await {
                let mut stream = stream.into_inner();
                while let Ok(Some(shard)) = stream.message().await {
                    if shard.sequence == next {
                        next += 1;
                        pause = FIRST_PAUSE;
                        take(shard);
                    }
                }
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}

fn timed<T>(message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.set_timeout(proto::limits::CALL_TIMEOUT);
    request
}

async fn once<T>(call: impl Future<Output = Result<Response<T>, Status>>) -> Result<T, WireError> {
    match tokio::time::timeout(proto::limits::CALL_TIMEOUT, call).await {
        Ok(answer) => answer.map(Response::into_inner).map_err(WireError::from),
        Err(_) => Err(WireError::new(Code::Transport, "no answer in time")),
    }
}
