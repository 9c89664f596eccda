//! A run folder is created whole, resumed only by its own kind, and never mistaken for something else.

use super::*;
use crate::RunConfig;

const SMALL: &str =
    "[run]\nseed = 7\n[network]\nkind = \"mlp\"\nhidden = 16\n[search]\nsimulations = 4\n";

fn config(overrides: &[&str]) -> ValidConfig {
    let overrides = overrides.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    RunConfig::parse(SMALL, "small", &overrides).unwrap().validate("small").unwrap()
}

fn facts() -> RunFacts {
    RunFacts {
        fingerprint: "f".repeat(64),
        fingerprint_text: "war-chest\ncap=256".to_owned(),
        build: "test".to_owned(),
        numerics: "float32".to_owned(),
    }
}

#[test]
fn a_run_is_created_and_resumed_with_one_secret() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("runs/x");
    let created = RunFolder::create_or_resume(&root, &config(&[]), &facts()).unwrap();
    let secret = created.deal_secret().unwrap();
    let resumed =
        RunFolder::create_or_resume(&root, &config(&["up.generations=5"]), &facts()).unwrap();
    assert_eq!(resumed.deal_secret().unwrap(), secret);
    assert_eq!(RunFolder::open(&root).unwrap().config().up.generations, 5, "changes are stored");
    assert_eq!(resumed.name(), "x");
    let text = fs::read_to_string(root.join("run.toml")).unwrap();
    assert!(!text.contains(&to_hex(&secret)), "the secret stands outside audit/");
    assert!(text.contains(created.deal_secret_digest()));
    let leftovers = fs::read_dir(dir.path().join("runs")).unwrap().count();
    assert_eq!(leftovers, 1, "a draft folder was left behind");
}

#[test]
fn the_audit_key_is_made_once_and_its_public_half_is_configuration() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("x");
    let created = RunFolder::create_or_resume(&root, &config(&[]), &facts()).unwrap();
    let recipient = created.config().audit.recipient.clone().unwrap();
    let path = created.audit_key_path();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let key = fs::read_to_string(&path).unwrap();
    let secret = key.lines().find(|line| !line.starts_with('#')).unwrap();
    let secret = from_hex(secret.strip_prefix("x25519-secret:").unwrap()).unwrap();
    assert_eq!(AuditKey::of(secret).recipient(), recipient);
    let text = fs::read_to_string(root.join("run.toml")).unwrap();
    assert!(text.contains(&recipient) && !text.contains(&to_hex(&secret)), "{text}");

    let resumed =
        RunFolder::create_or_resume(&root, &config(&["up.generations=5"]), &facts()).unwrap();
    assert_eq!(resumed.config().audit.recipient.as_deref(), Some(&*recipient));
    assert_eq!(fs::read_to_string(&path).unwrap(), key);
    fs::remove_file(&path).unwrap();
    RunFolder::create_or_resume(&root, &config(&[]), &facts()).unwrap();
    assert!(!path.exists(), "a lost key is not replaced by one that opens nothing");

    let other = AuditKey::of([7; 32]).recipient();
    let given = format!("audit.recipient={other}");
    let error = RunFolder::create_or_resume(&root, &config(&[&given]), &facts()).unwrap_err();
    assert!(error.to_string().contains("audit.recipient"), "{error}");
    let elsewhere = RunFolder::create(&dir.path().join("y"), &config(&[&given]), &facts()).unwrap();
    assert_eq!(elsewhere.config().audit.recipient, Some(other));
    assert!(!elsewhere.audit_key_path().exists(), "the private half is the auditor's");
}

#[test]
fn two_runs_have_two_secrets_unless_one_is_given() {
    let dir = tempfile::tempdir().unwrap();
    let given = format!("run.deal_secret={}", "0a".repeat(32));
    let make = |name: &str, overrides: &[&str]| {
        RunFolder::create(&dir.path().join(name), &config(overrides), &facts()).unwrap()
    };
    let (a, b) = (make("a", &[]), make("b", &[]));
    assert_ne!(a.deal_secret().unwrap(), b.deal_secret().unwrap());
    let (c, d) = (make("c", &[&given]), make("d", &[&given]));
    assert_eq!(c.deal_secret().unwrap(), [0x0a; 32]);
    assert_eq!(c.deal_secret_digest(), d.deal_secret_digest());
}

#[test]
fn foreign_damaged_and_other_runs_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("x");
    let open = || RunFolder::create_or_resume(&root, &config(&[]), &facts());

    fs::create_dir(&root).unwrap();
    fs::write(root.join("thesis.tex"), "precious").unwrap();
    assert!(matches!(open(), Err(FolderError::Foreign(_))));
    assert_eq!(fs::read(root.join("thesis.tex")).unwrap(), b"precious");
    fs::remove_file(root.join("thesis.tex")).unwrap();

    let run = open().unwrap();
    let mut other = facts();
    other.fingerprint = "e".repeat(64);
    other.fingerprint_text = "war-chest\ncap=9".to_owned();
    let error = RunFolder::create_or_resume(&root, &config(&[]), &other).unwrap_err();
    let message = error.to_string();
    for part in ["e".repeat(64), "f".repeat(64), "cap=256".to_owned(), "cap=9".to_owned()] {
        assert!(message.contains(&part), "{message}");
    }
    let error = RunFolder::create_or_resume(&root, &config(&["run.seed=8"]), &facts()).unwrap_err();
    assert!(error.to_string().contains("run.seed"), "{error}");

    fs::remove_dir_all(run.training_dir()).unwrap();
    assert!(matches!(open(), Err(FolderError::HalfWritten { .. })));
    fs::create_dir(run.training_dir()).unwrap();
    let text = fs::read_to_string(root.join("run.toml")).unwrap();
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        fs::write(root.join("run.toml"), &text[..end]).unwrap();
        assert!(matches!(open(), Err(FolderError::HalfWritten { .. })), "cut at byte {end}");
    }
    fs::write(root.join("run.toml"), text).unwrap();
    open().unwrap();
}

#[test]
fn a_run_opens_without_its_audit_folder_but_gives_out_no_secret() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("x");
    RunFolder::create(&root, &config(&[]), &facts()).unwrap();
    fs::rename(root.join("audit"), dir.path().join("elsewhere")).unwrap();
    assert!(RunFolder::open(&root).unwrap().deal_secret().is_err());
}

#[test]
fn another_runs_secret_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("x");
    let run = RunFolder::create(&root, &config(&[]), &facts()).unwrap();
    fs::write(root.join("audit/deal-secret"), "00".repeat(32)).unwrap();
    assert!(matches!(run.deal_secret(), Err(FolderError::HalfWritten { .. })));
}

#[test]
fn one_process_a_role_holds_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    let run = RunFolder::create(&dir.path().join("x"), &config(&[]), &facts()).unwrap();
    let held = run.lock("coordinator").unwrap();
    assert!(matches!(run.lock("coordinator"), Err(FolderError::Busy(..))));
    run.lock("trainer").unwrap();
    drop(held);
    run.lock("coordinator").unwrap();
}

#[test]
fn only_whole_checkpoints_are_listed_oldest_first() {
    let dir = tempfile::tempdir().unwrap();
    let run = RunFolder::create(&dir.path().join("x"), &config(&[]), &facts()).unwrap();
    let id = |step| CheckpointId::new("x", step, &"a1b2c3d4e5f6".repeat(2)).unwrap();
    for step in [2_000_000, 30, 7] {
        fs::create_dir(run.checkpoint_dir(&id(step))).unwrap();
        fs::write(run.checkpoint_dir(&id(step)).join("checkpoint.toml"), "").unwrap();
    }
    fs::create_dir(run.checkpoint_dir(&id(9))).unwrap();
    assert_eq!(run.checkpoints().unwrap(), [id(7), id(30), id(2_000_000)]);
}
