//! A configuration says what it means or is refused with the key, the file and what to do.

use super::*;

const SMALL: &str = r#"
[run]
seed = 7
[network]
kind = "residual"
blocks = 2
channels = 16
value_hidden = 32
[search]
simulations = 32
"#;

fn parse(text: &str, overrides: &[&str]) -> Result<RunConfig, ConfigError> {
    let overrides = overrides.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    RunConfig::parse(text, "small.toml", &overrides)
}

fn valid(text: &str, overrides: &[&str]) -> ValidConfig {
    parse(text, overrides).unwrap().validate("small.toml").unwrap()
}

#[test]
fn the_resolved_form_reads_back_to_the_same_configuration() {
    let config = valid(SMALL, &[]);
    let again = valid(&config.to_toml(), &[]);
    assert_eq!(config, again);
    assert_eq!(config.run.game, "war-chest");
    assert!(config.to_toml().contains("games_per_job"), "defaults are written out");
}

#[test]
fn an_unknown_key_is_refused_with_file_and_key() {
    for (text, key) in [
        (format!("{SMALL}\n[selfplay]\nbatch_size = 3\n"), "batch_size"),
        (format!("{SMALL}\n[selfpaly]\nbatch = 3\n"), "selfpaly"),
        (SMALL.replace("channels", "chanels"), "chanels"),
    ] {
        let message = parse(&text, &[]).unwrap_err().to_string();
        assert!(message.contains("small.toml") && message.contains(key), "{message}");
    }
}

#[test]
fn every_value_out_of_range_is_named() {
    let config = parse(SMALL, &["selfplay.batch=0", "training.held_out_share=0.9"]).unwrap();
    let message = config.validate("small.toml").unwrap_err().to_string();
    for part in ["selfplay.batch = 0", "training.held_out_share = 0.9", "from 1 to 4096"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn nan_is_out_of_range() {
    let config = parse(SMALL, &["training.learning_rate=nan"]).unwrap();
    assert!(config.validate("small.toml").is_err());
}

#[test]
fn overrides_take_toml_values_bare_words_and_new_sections() {
    let config = valid(
        SMALL,
        &[
            "selfplay.batch=32",
            "selfplay.precision=float32",
            "rules.pool=ranked",
            "search.worlds=3",
        ],
    );
    assert_eq!(config.selfplay.batch, 32);
    assert_eq!(config.selfplay.precision, Precision::Float32);
    assert_eq!(config.rules["pool"].as_str(), Some("ranked"));
    assert_eq!(config.search["worlds"].as_integer(), Some(3));
}

#[test]
fn a_wrong_override_is_refused() {
    for text in ["selfplay.batch", "batch=3", "selfplay.btach=3", "run.seed.x=1", ".=1"] {
        let error = parse(SMALL, &[text]).unwrap_err().to_string();
        assert!(error.contains("--set"), "{text}: {error}");
    }
}

#[test]
fn a_deal_secret_is_never_printed() {
    let secret = "ab".repeat(32);
    let config = valid(SMALL, &[&format!("run.deal_secret={secret}")]);
    assert_eq!(config.run.deal_secret.as_deref(), Some(secret.as_str()));
    assert!(!config.to_toml().contains(&secret));
    let wrong = parse(SMALL, &["run.deal_secret=abcdefgh"]).unwrap().validate("x").unwrap_err();
    assert!(!wrong.to_string().contains("abcdefgh"), "{wrong}");
}

#[test]
fn a_resume_may_change_the_machine_but_not_the_meaning() {
    let stored = valid(SMALL, &[]);
    let threads = valid(SMALL, &["selfplay.threads=3", "up.generations=9", "arena.pairs=2"]);
    threads.may_resume(&stored, "runs/x/run.toml").unwrap();
    for change in ["run.seed=8", "rules.cap=9", "network.channels=32", "search.simulations=64"] {
        let error = valid(SMALL, &[change]).may_resume(&stored, "runs/x/run.toml").unwrap_err();
        let key = change.split('=').next().unwrap();
        assert!(error.to_string().contains(key), "{error}");
    }
}
