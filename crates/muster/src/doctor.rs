//! `muster doctor`: whether this machine can do the work, and what to do where it cannot.

use crate::hand_over::{COORDINATOR, TRAINER, WORKER, beside};
use clap::Args;
use run::Exit;
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

/// Look at this machine: processor, libtorch, compiler, memory, disk. Exit code 3 where something is missing.
#[derive(Args)]
pub struct DoctorArgs {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// One finding.
struct Finding {
    name: &'static str,
    is_ok: bool,
    /// What was found, or what is wrong and what to do.
    text: String,
}

pub fn run(args: &DoctorArgs) -> anyhow::Result<Exit> {
    let worker = ask_worker();
    let findings = vec![
        platform(),
        processor(&cpuinfo()),
        cores(),
        memory(),
        disk(),
        compiler(),
        binaries(),
        libtorch(&worker),
        confinement(),
    ];
    let is_ok = findings.iter().all(|finding| finding.is_ok);
    if args.json {
        println!("{}", to_json(&findings, worker.as_ref().ok(), is_ok));
    } else {
        for finding in &findings {
            let mark = if finding.is_ok { "ok  " } else { "FAIL" };
            println!("{mark} {:<11} {}", finding.name, finding.text);
        }
    }
    Ok(if is_ok { Exit::Done } else { Exit::Problems })
}

fn to_json(findings: &[Finding], worker: Option<&Value>, is_ok: bool) -> Value {
    let mut object = json!({
        "ok": is_ok,
        "build": run::build_id(),
        "built_for": built_for(),
        "cpu_features": wanted_features(&cpuinfo()),
    });
    for finding in findings {
        object[finding.name] = json!({ "ok": finding.is_ok, "found": finding.text });
    }
    object["worker"] = worker.cloned().unwrap_or(Value::Null);
    object
}

/// The processor level this program was compiled for: every figure depends on it.
pub fn built_for() -> &'static str {
    if cfg!(all(target_feature = "avx512f", target_feature = "avx512bw")) {
        "x86-64-v4"
    } else if cfg!(all(target_feature = "avx2", target_feature = "fma", target_feature = "bmi2")) {
        "x86-64-v3"
    } else {
        "x86-64"
    }
}

/// What can close the audit root to the trainer here. Training works without; the boundary is then a matter of
/// users and permissions.
fn confinement() -> Finding {
    let found = run::confine::available();
    let advice = match found.is_confined() {
        true => "the trainer closes the audit root to itself",
        false => "run the trainer as a user that cannot read the audit root",
    };
    ok("confinement", format!("{found}; {advice}"))
}

fn ok(name: &'static str, text: impl Into<String>) -> Finding {
    Finding { name, is_ok: true, text: text.into() }
}

fn wrong(name: &'static str, text: impl Into<String>) -> Finding {
    Finding { name, is_ok: false, text: text.into() }
}

fn platform() -> Finding {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let text = format!("{} {} {}", std::env::consts::OS, std::env::consts::ARCH, release.trim());
    let is_known = cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"));
    if is_known {
        ok("platform", text)
    } else {
        wrong("platform", format!("{text}: only Linux x86-64 with glibc is supported"))
    }
}

fn cpuinfo() -> String {
    fs::read_to_string("/proc/cpuinfo").unwrap_or_default()
}

fn cpu_field<'a>(cpuinfo: &'a str, name: &str) -> &'a str {
    cpuinfo
        .lines()
        .find_map(|line| line.split_once(':').filter(|(key, _)| key.trim() == name))
        .map_or("", |(_, value)| value.trim())
}

const V3: [&str; 9] = ["avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"];

fn processor(cpuinfo: &str) -> Finding {
    let flags: Vec<&str> = cpu_field(cpuinfo, "flags").split_whitespace().collect();
    let missing: Vec<&str> = V3.into_iter().filter(|flag| !flags.contains(flag)).collect();
    let model = cpu_field(cpuinfo, "model name");
    if missing.is_empty() {
        let fast = wanted_features(cpuinfo);
        let extra = if fast.is_empty() { String::new() } else { format!(", {}", fast.join(", ")) };
        return ok("processor", format!("{model}: x86-64-v3{extra}"));
    }
    wrong(
        "processor",
        format!(
            "{model} is below x86-64-v3 (it lacks {}); use a machine of 2013 or later",
            missing.join(", ")
        ),
    )
}

/// What makes evaluation faster where it is there.
fn wanted_features(cpuinfo: &str) -> Vec<&'static str> {
    let flags: Vec<&str> = cpu_field(cpuinfo, "flags").split_whitespace().collect();
    ["avx512f", "avx512_bf16", "amx_bf16"].into_iter().filter(|flag| flags.contains(flag)).collect()
}

fn cores() -> Finding {
    match std::thread::available_parallelism() {
        Ok(n) => ok("cores", n.to_string()),
        Err(error) => wrong("cores", format!("cannot be counted: {error}")),
    }
}

const MEMORY_MIN_MIB: u64 = 2_048;

fn memory() -> Finding {
    let meminfo = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kib = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))
        .and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    match kib.map(|kib| kib / 1_024) {
        Some(mib) if mib < MEMORY_MIN_MIB => wrong(
            "memory",
            format!("{mib} MiB available; {MEMORY_MIN_MIB} are needed: stop other programs"),
        ),
        Some(mib) => ok("memory", format!("{mib} MiB available")),
        None => ok("memory", "unknown"),
    }
}

const DISK_MIN_MIB: u64 = 1_024;

fn disk() -> Finding {
    let output = Command::new("df").args(["-Pk", "."]).output();
    let free = output.ok().and_then(|output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().nth(1)?.split_whitespace().nth(3)?.parse::<u64>().ok()
    });
    match free.map(|kib| kib / 1_024) {
        Some(mib) if mib < DISK_MIN_MIB => wrong(
            "disk",
            format!("{mib} MiB free here; {DISK_MIN_MIB} are needed: make room, or run elsewhere"),
        ),
        Some(mib) => ok("disk", format!("{mib} MiB free here")),
        None => ok("disk", "unknown"),
    }
}

fn compiler() -> Finding {
    let output = Command::new("c++").arg("--version").output();
    let first = output.ok().filter(|output| output.status.success()).and_then(|output| {
        String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
    });
    // Only the build needs it.
    ok("compiler", first.unwrap_or_else(|| "no c++ (needed only to build)".to_owned()))
}

fn binaries() -> Finding {
    let missing: Vec<String> = [COORDINATOR, WORKER, TRAINER]
        .into_iter()
        .filter_map(|name| beside(name).err().map(|error| format!("{error:#}")))
        .collect();
    if missing.is_empty() {
        ok("binaries", "muster, muster-coordinator, muster-worker, muster-trainer")
    } else {
        wrong("binaries", missing.join("; "))
    }
}

/// What the worker, which links libtorch, says of it.
fn ask_worker() -> Result<Value, String> {
    let path = beside(WORKER).map_err(|error| format!("{error:#}"))?;
    let output = Command::new(&path)
        .args(["doctor", "--json"])
        .output()
        .map_err(|error| format!("cannot start {}: {error}", path.display()))?;
    serde_json::from_slice(&output.stdout).map_err(|_| {
        let said = String::from_utf8_lossy(&output.stderr);
        format!(
            "{} does not start ({}): {}; run scripts/setup.sh again",
            path.display(),
            output.status,
            said.trim()
        )
    })
}

fn libtorch(worker: &Result<Value, String>) -> Finding {
    let answer = match worker {
        Ok(answer) => answer,
        Err(problem) => return wrong("libtorch", problem.clone()),
    };
    let text = |key: &str| answer[key].as_str().unwrap_or("unknown").to_owned();
    let cuda = match answer["cuda"].as_bool() {
        Some(true) => "CUDA: yes".to_owned(),
        _ => format!("CUDA: no ({})", text("cuda_why")),
    };
    ok(
        "libtorch",
        format!("{} in {}; {}; {cuda}", text("torch"), text("libtorch"), text("numerics")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_processor_is_refused_by_name() {
        let old = "model name : Old One\nflags : fpu sse sse2 avx\n";
        let finding = processor(old);
        assert!(
            !finding.is_ok && finding.text.contains("Old One") && finding.text.contains("avx2")
        );
        let new = format!("model name : New One\nflags : {} avx512_bf16\n", V3.join(" "));
        let finding = processor(&new);
        assert!(finding.is_ok && finding.text.contains("avx512_bf16"), "{}", finding.text);
    }
}
