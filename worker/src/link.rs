//! The line to the coordinator. It may be gone for a while: calls wait and try again, and nothing that was played
//! is lost meanwhile.

use anyhow::Context;
use proto::v1::{
    CommitRequest, CommitResponse, DescribeRunRequest, JobKind, LeaseRequest, LeaseResponse,
    ReleaseRequest, RenewRequest, RenewResponse, ReportRequest, ReportResponse, RoleReport,
    RunDescription, VerdictRequest, VerdictResponse,
};
use proto::{Client, WireError};
use run::exit::TryAgain;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::{Request, Response, Status};

/// Where the coordinator is found.
#[derive(Clone, Debug)]
pub enum Address {
    /// `HOST:PORT`.
    Fixed(String),
    /// The run folder's `endpoint` file, read again at every connection: a restarted coordinator may listen
    /// somewhere else.
    EndpointFile(PathBuf),
}

impl Address {
    fn resolve(&self) -> anyhow::Result<String> {
        match self {
            Address::Fixed(address) => Ok(address.clone()),
            Address::EndpointFile(path) => {
                let text = std::fs::read_to_string(path).with_context(|| {
                    format!(
                        "no endpoint at {}: start the coordinator of this run, or give --coordinator HOST:PORT",
                        path.display()
                    )
                })?;
                Ok(text.trim().to_owned())
            }
        }
    }
}

/// How long one call may take before it counts as lost. `Lease` waits on purpose and gets its wait on top.
const CALL_TIMEOUT: Duration = Duration::from_secs(20);
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// One process's line to the coordinator. Shared by its threads and tasks.
pub struct Link {
    address: Address,
    id: String,
    /// What the auditor shows with every call.
    credential: Option<MetadataValue<Ascii>>,
    client: Mutex<Option<Client>>,
}

impl Link {
    /// `id` names this start of this process.
    pub fn new(address: Address, id: String) -> Link {
        Link { address, id, credential: None, client: Mutex::new(None) }
    }

    /// The same line, showing the run's auditor token with every call.
    pub fn with_auditor_token(self, token: &str) -> anyhow::Result<Link> {
        let token = token.trim();
        let mut credential: MetadataValue<Ascii> =
            token.parse().context("the auditor's token is 64 hexadecimal digits")?;
        credential.set_sensitive(true);
        Ok(Link { credential: Some(credential), ..self })
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    /// The run, or an error when no coordinator has answered within `patience`.
    pub async fn describe_run(&self, patience: Duration) -> anyhow::Result<RunDescription> {
        let give_up = tokio::time::Instant::now() + patience;
        let mut pause = FIRST_PAUSE;
        loop {
            let answer = self
                .once(CALL_TIMEOUT, async |mut client| {
                    client.describe_run(self.request(DescribeRunRequest {}, CALL_TIMEOUT)).await
                })
                .await;
            match answer {
                Ok(run) => return Ok(run),
                Err(error) if tokio::time::Instant::now() + pause >= give_up => {
                    return Err(TryAgain(format!(
                        "no coordinator answers at {}: {}; is it running, and is the address right?",
                        self.address.resolve()?,
                        error.text
                    ))
                    .into());
                }
                Err(_) => tokio::time::sleep(pause).await,
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    pub async fn lease(
        &self,
        number: u64,
        wait: Duration,
        kind: JobKind,
    ) -> Result<LeaseResponse, WireError> {
        let timeout = CALL_TIMEOUT + wait;
        self.once(timeout, async |mut client| {
            let lease = LeaseRequest {
                worker: self.id.clone(),
                request: number,
                wait_ms: wait.as_millis() as u32,
                kind: kind as i32,
            };
            client.lease(self.request(lease, timeout)).await
        })
        .await
    }

    pub async fn renew(&self, renew: RenewRequest) -> Result<RenewResponse, WireError> {
        self.once(CALL_TIMEOUT, async |mut client| {
            client.renew(self.request(renew.clone(), CALL_TIMEOUT)).await
        })
        .await
    }

    /// Hands in a job's result until the coordinator has said yes or no.
    pub async fn commit(&self, commit: CommitRequest) -> Result<CommitResponse, WireError> {
        self.until_answered(async |mut client| {
            client.commit(self.request(commit.clone(), CALL_TIMEOUT)).await
        })
        .await
    }

    /// Hands in a verdict until the coordinator has said yes or no.
    pub async fn report_verdict(
        &self,
        verdict: VerdictRequest,
    ) -> Result<VerdictResponse, WireError> {
        self.until_answered(async |mut client| {
            client.report_verdict(self.request(verdict.clone(), CALL_TIMEOUT)).await
        })
        .await
    }

    /// Gives a job back. Tried once: a lease that is not given back runs out by itself.
    pub async fn release(&self, release: ReleaseRequest) -> Result<(), WireError> {
        self.once(CALL_TIMEOUT, async |mut client| {
            client.release(self.request(release.clone(), CALL_TIMEOUT)).await
        })
        .await
        .map(|_| ())
    }

    pub async fn report(&self, report: RoleReport) -> Result<ReportResponse, WireError> {
        self.once(CALL_TIMEOUT, async |mut client| {
            let report = ReportRequest { report: Some(report.clone()) };
            client.report(self.request(report, CALL_TIMEOUT)).await
        })
        .await
    }

    async fn until_answered<T, F>(&self, call: impl Fn(Client) -> F) -> Result<T, WireError>
    where
        F: Future<Output = Result<Response<T>, Status>>,
    {
        let mut pause = FIRST_PAUSE;
        loop {
            match self.once(CALL_TIMEOUT, &call).await {
                Err(error) if error.is_transient() => {
                    tracing::warn!(error = %error, "coordinator does not answer, trying again");
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                answer => return answer,
            }
        }
    }

    async fn once<T, F>(
        &self,
        timeout: Duration,
        call: impl Fn(Client) -> F,
    ) -> Result<T, WireError>
    where
        F: Future<Output = Result<Response<T>, Status>>,
    {
        let client = self.client()?;
        let answer = match tokio::time::timeout(timeout, call(client)).await {
            Ok(answer) => answer.map(Response::into_inner).map_err(WireError::from),
            Err(_) => Err(WireError::new(proto::Code::Transport, "no answer in time")),
        };
        if let Err(error) = &answer
            && error.code == proto::Code::Transport
        {
            // The next call looks the address up again.
            *self.client.lock().expect("no holder panics") = None;
        }
        answer
    }

    fn request<T>(&self, message: T, timeout: Duration) -> Request<T> {
        let mut request = Request::new(message);
        request.set_timeout(timeout);
        if let Some(credential) = &self.credential {
            request.metadata_mut().insert(proto::AUDITOR_KEY, credential.clone());
        }
        request
    }

    fn client(&self) -> Result<Client, WireError> {
        let mut held = self.client.lock().expect("no holder panics");
        if let Some(client) = &*held {
            return Ok(client.clone());
        }
        let lost = |error: &dyn std::fmt::Display| WireError::new(proto::Code::Transport, error);
        let address = self.address.resolve().map_err(|error| lost(&format!("{error:#}")))?;
        let endpoint = proto::endpoint(&address).map_err(|error| lost(&error))?;
        let client = proto::client(endpoint.connect_lazy());
        *held = Some(client.clone());
        Ok(client)
    }
}

/// A name for this start of this process: host, process number, and the moment it started.
pub fn process_id(role: &str) -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host: String = host
        .trim()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' })
        .take(40)
        .collect();
    let started = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| since.as_micros());
    format!("{role}-{host}-{}-{started:x}", std::process::id())
}
