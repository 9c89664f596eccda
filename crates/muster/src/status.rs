//! `muster status`: what a run is doing, as its coordinator sees it.

use anyhow::Context;
use clap::Args;
use proto::v1::{AuditStatus, RoleStatus, StatusRequest, StatusResponse};
use run::exit::TryAgain;
use run::{Exit, RunFolder};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// Show what a run is doing. Exit code 3 if a shard of it failed verification.
#[derive(Args)]
pub struct StatusArgs {
    /// Run folder; its coordinator is found by the file `endpoint` in it.
    #[arg(long, required_unless_present = "coordinator")]
    run: Option<PathBuf>,
    /// Address of the coordinator, HOST:PORT.
    #[arg(long, conflicts_with = "run")]
    coordinator: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &StatusArgs) -> anyhow::Result<Exit> {
    let address = match (&args.coordinator, &args.run) {
        (Some(address), _) => address.clone(),
        (None, Some(run)) => endpoint_of(run)?,
        (None, None) => return Err(run::exit::Usage("give --run or --coordinator".into()).into()),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let status = runtime.block_on(fetch(&address)).map_err(|error| {
        TryAgain(format!(
            "no coordinator answers at {address} ({error:#}); start it with `muster up` or \
             `muster coordinator`, or give another address"
        ))
    })?;
    if args.json {
        println!("{}", to_json(&status));
    } else {
        print!("{}", to_text(&status));
    }
    Ok(if failure(&status).is_some() { Exit::Problems } else { Exit::Done })
}

fn endpoint_of(run: &std::path::Path) -> anyhow::Result<String> {
    let folder = RunFolder::open(run)?;
    folder.endpoint()?.ok_or_else(|| {
        TryAgain(format!(
            "run {} has no coordinator yet; start it with `muster up` or `muster coordinator`",
            run.display()
        ))
        .into()
    })
}

/// One status from a coordinator, within ten seconds.
pub async fn fetch(address: &str) -> anyhow::Result<StatusResponse> {
    let ask = async {
        let channel = proto::endpoint(address)?.connect().await.context("no connection")?;
        let answer = proto::client(channel).status(StatusRequest {}).await;
        Ok::<_, anyhow::Error>(answer.map_err(proto::WireError::from)?.into_inner())
    };
    tokio::time::timeout(Duration::from_secs(10), ask).await.context("no answer within 10 s")?
}

pub fn to_json(status: &StatusResponse) -> Value {
    json!({
        "run": status.run,
        "roles": status.roles.iter().map(role_json).collect::<Vec<_>>(),
        "games_per_hour": status.games_per_hour,
        "rows": status.rows,
        "checkpoint": status.checkpoint.as_ref().map(|checkpoint| checkpoint.id.clone()),
        "generation": status.checkpoint.as_ref().map(|checkpoint| checkpoint.generation),
        "weight_age_s": status.weight_age_s,
        "leases": status.leases,
        "rejected": status.rejected,
        "games": status.games,
        "shards": status.shards,
        "parked": status.parked,
        "draining": status.draining,
        "audit": audit_json(&status.audit.clone().unwrap_or_default()),
    })
}

fn audit_json(audit: &AuditStatus) -> Value {
    let failure = audit.first_failure.as_ref().map(|failure| {
        let first = failure.first.clone().unwrap_or_default();
        json!({
            "shard": failure.shard,
            "sequence": failure.sequence,
            "differences": failure.differences,
            "check": first.check,
            "row": first.row,
            "column": Some(first.column).filter(|column| !column.is_empty()),
        })
    });
    json!({
        "admission": audit.admission,
        "verified": audit.verified,
        "waiting": audit.waiting,
        "failed": audit.failed,
        "parked": audit.parked,
        "window": audit.window,
        "first_failure": failure,
    })
}

/// What stopped the run from growing, in one line.
pub fn failure(status: &StatusResponse) -> Option<String> {
    let failure = status.audit.as_ref()?.first_failure.as_ref()?;
    let first = failure.first.clone().unwrap_or_default();
    let mut place = first.check;
    if let Some(row) = first.row {
        place += &format!(" row {row}");
    }
    if !first.column.is_empty() {
        place += &format!(" column {}", first.column);
    }
    Some(format!(
        "shard {} failed verification: {place}, {} differences; no more games are leased and the training window \
         does not grow. RUN/audit/verdicts/{}.json says more to those who may see the truth",
        failure.shard, failure.differences, failure.shard
    ))
}

fn role_json(role: &RoleStatus) -> Value {
    let report = role.report.clone().unwrap_or_default();
    json!({
        "role": report.role,
        "id": report.id,
        "doing": report.doing,
        "rate": report.rate,
        "rate_unit": report.rate_unit,
        "games": report.games,
        "queue": report.queue,
        "loss": report.loss,
        "step": report.step,
        "generation": report.generation,
        "next": report.next,
        "confinement": report.confinement,
        "age_s": role.age_s,
    })
}

fn to_text(status: &StatusResponse) -> String {
    let mut text = format!("{}\n", coordinator_line(status));
    for role in &status.roles {
        let report = role.report.clone().unwrap_or_default();
        text += &format!("{:<12} {}\n", report.role, role_line(role));
    }
    if let Some(failure) = failure(status) {
        text += &format!("{failure}\n");
    }
    text
}

/// The coordinator's own line: the run as a whole.
pub fn coordinator_line(status: &StatusResponse) -> String {
    let checkpoint = status.checkpoint.as_ref().map_or_else(
        || "no checkpoint yet".to_owned(),
        |checkpoint| {
            format!("generation {} ({:.0} s old)", checkpoint.generation, status.weight_age_s)
        },
    );
    let mut line = format!(
        "{} rows, {} games ({:.0} an hour), {} shards, {} leases, {checkpoint}",
        status.rows, status.games, status.games_per_hour, status.shards, status.leases
    );
    if status.rejected > 0 {
        line += &format!(", {} rejected", status.rejected);
    }
    if status.parked > 0 {
        line += &format!(", {} jobs parked", status.parked);
    }
    if let Some(audit) = status.audit.as_ref().filter(|audit| audit.admission == "required") {
        line += &format!(", {} shards verified, {} wait", audit.verified, audit.waiting);
        if audit.failed > 0 {
            line += &format!(", {} FAILED", audit.failed);
        }
    }
    if status.draining {
        line += ", draining";
    }
    line
}

/// One role's line: rate, games, queue, weights, loss, what comes next.
pub fn role_line(role: &RoleStatus) -> String {
    let report = role.report.clone().unwrap_or_default();
    let mut parts = vec![format!("{:.0} {}", report.rate, report.rate_unit)];
    if report.games > 0 {
        parts.push(format!("{} games", report.games));
    }
    if report.queue > 0 {
        parts.push(format!("queue {}", report.queue));
    }
    parts.push(format!("generation {}", report.generation));
    if report.step > 0 {
        parts.push(format!("step {}, loss {:.3}", report.step, report.loss));
    }
    if !report.doing.is_empty() {
        parts.push(report.doing);
    }
    if !report.next.is_empty() {
        parts.push(format!("next: {}", report.next));
    }
    if report.confinement.starts_with("none") {
        parts.push(format!("confinement {}", report.confinement));
    }
    if role.age_s > 15.0 {
        parts.push(format!("silent for {:.0} s", role.age_s));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proto::v1::{Difference, FirstFailure};

    #[test]
    fn a_failed_verification_is_said_and_named() {
        let with = |audit| StatusResponse { audit: Some(audit), ..StatusResponse::default() };
        let clean = with(AuditStatus { admission: "required".into(), ..AuditStatus::default() });
        assert_eq!(failure(&clean), None);
        assert_eq!(to_json(&clean)["audit"]["first_failure"], Value::Null);
        let first = Difference { check: "row".into(), row: Some(7), column: "now".into() };
        let status = with(AuditStatus {
            admission: "required".into(),
            verified: 4,
            waiting: 2,
            failed: 1,
            parked: 0,
            window: 4,
            first_failure: Some(FirstFailure {
                sequence: 5,
                shard: "job0000005-attempt1-epoch5".into(),
                differences: 3,
                first: Some(first),
            }),
        });
        let text = to_text(&status);
        assert!(text.contains("4 shards verified, 2 wait, 1 FAILED"), "{text}");
        assert!(
            text.contains(
                "job0000005-attempt1-epoch5 failed verification: row row 7 column now, 3"
            ),
            "{text}"
        );
        let json = to_json(&status);
        assert_eq!(json["audit"]["first_failure"]["shard"], "job0000005-attempt1-epoch5");
        assert_eq!(json["audit"]["first_failure"]["row"], 7);
        assert_eq!(json["audit"]["verified"], 4);
    }
}
