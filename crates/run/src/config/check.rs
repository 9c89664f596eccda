//! Ranges, and which keys a resume may change.

use super::{NetworkSection, RunConfig};
use std::fmt::{self, Display};
use std::ops::RangeInclusive;

/// One value outside its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub key: &'static str,
    pub found: String,
    pub wanted: String,
}

impl Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}: {}", self.key, self.found, self.wanted)
    }
}

/// Collects problems; one method a kind of check.
#[derive(Default)]
struct Ranges(Vec<Problem>);

impl Ranges {
    fn within<T: PartialOrd + Display>(
        &mut self,
        key: &'static str,
        found: T,
        range: RangeInclusive<T>,
    ) {
        if !range.contains(&found) {
            let wanted = format!("give a number from {} to {}", range.start(), range.end());
            self.0.push(Problem { key, found: found.to_string(), wanted });
        }
    }

    fn holds(&mut self, key: &'static str, found: &str, is_ok: bool, wanted: &str) {
        if !is_ok {
            self.0.push(Problem { key, found: format!("{found:?}"), wanted: wanted.to_owned() });
        }
    }
}

pub(super) fn problems(config: &RunConfig) -> Vec<Problem> {
    let mut ranges = Ranges::default();
    run_and_network(config, &mut ranges);
    selfplay_and_training(config, &mut ranges);
    the_rest(config, &mut ranges);
    ranges.0
}

fn run_and_network(config: &RunConfig, ranges: &mut Ranges) {
    ranges.holds("run.game", &config.run.game, !config.run.game.is_empty(), "name a game");
    if let Some(secret) = &config.run.deal_secret {
        let is_hex = secret.len() == 64 && secret.bytes().all(|b| b.is_ascii_hexdigit());
        // The value itself must not reach a log.
        ranges.holds("run.deal_secret", "…", is_hex, "give 64 hexadecimal digits, or leave it out");
    }
    match config.network {
        NetworkSection::Residual { blocks, channels, value_hidden } => {
            ranges.within("network.blocks", blocks, 1..=40);
            ranges.within("network.channels", channels, 8..=512);
            ranges.within("network.value_hidden", value_hidden, 8..=4_096);
        }
        NetworkSection::Mlp { hidden } => ranges.within("network.hidden", hidden, 8..=4_096),
    }
}

fn selfplay_and_training(config: &RunConfig, ranges: &mut Ranges) {
    let selfplay = &config.selfplay;
    ranges.within("selfplay.games_per_job", selfplay.games_per_job, 1..=1_024);
    ranges.within("selfplay.games_in_flight", selfplay.games_in_flight, 0..=4_096);
    ranges.within("selfplay.batch", selfplay.batch, 1..=4_096);
    ranges.within("selfplay.threads", selfplay.threads, 0..=1_024);
    ranges.within("selfplay.prior_shaping", selfplay.prior_shaping, 0.0..=10.0);
    ranges.within("selfplay.eval_cache", selfplay.eval_cache, 0..=10_000_000);
    let training = &config.training;
    ranges.within("training.batch", training.batch, 1..=65_536);
    ranges.within("training.learning_rate", training.learning_rate, 1e-7..=1.0);
    ranges.within("training.weight_decay", training.weight_decay, 0.0..=1.0);
    ranges.within("training.value_weight", training.value_weight, 0.0..=100.0);
    ranges.within("training.replay_ratio", training.replay_ratio, 0.01..=1_000.0);
    ranges.within("training.window_rows", training.window_rows, 1..=1_000_000_000);
    ranges.within("training.rows_per_generation", training.rows_per_generation, 1..=1_000_000_000);
    ranges.within("training.held_out_share", training.held_out_share, 0.0..=0.5);
    ranges.within("training.threads", training.threads, 1..=1_024);
}

fn the_rest(config: &RunConfig, ranges: &mut Ranges) {
    let coordinator = &config.coordinator;
    let is_address = coordinator
        .listen
        .rsplit_once(':')
        .is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok());
    ranges.holds(
        "coordinator.listen",
        &coordinator.listen,
        is_address,
        "give HOST:PORT, e.g. 127.0.0.1:7700 (port 0 takes a free one)",
    );
    ranges.within("coordinator.lease_ttl_s", coordinator.lease_ttl_s, 1..=86_400);
    ranges.within("coordinator.attempts_max", coordinator.attempts_max, 1..=100);
    ranges.holds(
        "coordinator.gate",
        &coordinator.gate,
        coordinator.gate == "none",
        "the only gate is \"none\": publishing promotes at once",
    );
    for (key, url) in
        [("stores.training", &config.stores.training), ("stores.audit", &config.stores.audit)]
    {
        let Some(url) = url else { continue };
        ranges.holds(key, url, url.starts_with("file:///"), "give a file:///… URL");
    }
    ranges.holds(
        "stores.audit",
        config.stores.audit.as_deref().unwrap_or_default(),
        config.stores.audit.is_none() || config.stores.audit != config.stores.training,
        "training and audit must be two roots",
    );
    if let Some(recipient) = &config.audit.recipient {
        ranges.holds(
            "audit.recipient",
            recipient,
            crate::audit_key::is_recipient(recipient),
            "give x25519: and 64 hexadecimal digits, or leave it out",
        );
    }
    ranges.within("audit.pairs", config.audit.pairs, 0..=100_000);
    ranges.within("audit.worlds", config.audit.worlds, 0..=100_000);
    ranges.within("arena.simulations", config.arena.simulations, 1..=65_535);
    ranges.within("arena.worlds", config.arena.worlds, 1..=1_024);
    ranges.within("arena.pairs", config.arena.pairs, 1..=100_000);
    ranges.within("arena.temperature_plies", config.arena.temperature_plies, 0..=1_000);
    ranges.within("up.workers", config.up.workers, 1..=256);
    ranges.within("up.generations", config.up.generations, 0..=1_000_000);
    ranges.within("up.pairs", config.up.pairs, 1..=100_000);
    ranges.within("up.two_world_pairs", config.up.two_world_pairs, 0..=1_000_000);
}

/// What a resumed run may say otherwise than when it was created: sizes of the machine, limits, defaults of
/// evaluation. Everything that decides what a row means stays.
pub(super) fn may_change_on_resume(key: &str) -> bool {
    const MAY_CHANGE: [&str; 23] = [
        "run.note",
        "selfplay.games_per_job",
        "selfplay.games_in_flight",
        "selfplay.batch",
        "selfplay.threads",
        "search.leaves_per_step",
        "selfplay.precision",
        "selfplay.eval_cache",
        "training.batch",
        "training.learning_rate",
        "training.weight_decay",
        "training.value_weight",
        "training.replay_ratio",
        "training.window_rows",
        "training.rows_per_generation",
        "training.threads",
        "coordinator.listen",
        "coordinator.lease_ttl_s",
        "coordinator.attempts_max",
        "audit.pairs",
        "audit.worlds",
        "arena.",
        "up.",
    ];
    MAY_CHANGE.iter().any(|may| key == *may || (may.ends_with('.') && key.starts_with(may)))
}

/// Dotted keys whose values differ. A deal secret or an audit recipient that is left out changes nothing.
pub(super) fn changed_keys(stored: &RunConfig, given: &RunConfig) -> Vec<String> {
    let flat = |config: &RunConfig| {
        let mut shown = config.clone();
        shown.run.deal_secret = None;
        if given.audit.recipient.is_none() {
            shown.audit.recipient = None;
        }
        let table = toml::Table::try_from(shown).expect("a configuration is a table");
        let mut out = std::collections::BTreeMap::new();
        flatten("", &table, &mut out);
        out
    };
    let (stored, given) = (flat(stored), flat(given));
    let mut keys: Vec<String> = stored
        .keys()
        .chain(given.keys())
        .filter(|key| stored.get(*key) != given.get(*key))
        .cloned()
        .collect();
    keys.sort();
    keys.dedup();
    keys
}

fn flatten(
    prefix: &str,
    table: &toml::Table,
    out: &mut std::collections::BTreeMap<String, toml::Value>,
) {
    for (key, value) in table {
        let key = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            toml::Value::Table(inner) => flatten(&key, inner, out),
            value => {
                out.insert(key, value.clone());
            }
        }
    }
}
