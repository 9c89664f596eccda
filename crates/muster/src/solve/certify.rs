//! A certificate as it is printed.

use anyhow::Context;
use cfr::certificate::{Rational, prove};
use cfr::{Policy, Tree};
use serde_json::{Value, json};
use std::time::Instant;

/// Exact numbers longer than this are told as bounds only.
const EXACT_LEN_MAX: usize = 400;

/// What was proved of a policy, rounded to the certificate's own strategies.
pub struct Proved {
    /// Rounded up.
    pub nash_conv_at_most: f64,
    /// The certificate's strategies' NashConv exactly, as a fraction, if it is short.
    pub nash_conv_exact: Option<String>,
    /// Where the value for the first seat lies, rounded outwards; of zero-sum games of two seats.
    pub value_bounds: Option<(f64, f64)>,
    pub seconds: f64,
}

pub fn certificate(tree: &Tree, policy: &Policy) -> anyhow::Result<Proved> {
    let started = Instant::now();
    let proof = prove(tree, policy).context("--certify")?;
    let bounds = proof.value_bounds.map(|bounds| (bounds.lower_at_least, bounds.upper_at_most));
    Ok(Proved {
        nash_conv_at_most: proof.nash_conv_at_most.0,
        nash_conv_exact: exact_text(&proof.nash_conv),
        value_bounds: bounds,
        seconds: started.elapsed().as_secs_f64(),
    })
}

fn exact_text(number: &Rational) -> Option<String> {
    let text = number.to_string();
    (text.len() <= EXACT_LEN_MAX).then_some(text)
}

impl Proved {
    pub fn json(&self) -> Value {
        json!({
            "proved_nash_conv_at_most": self.nash_conv_at_most,
            "nash_conv_exact": self.nash_conv_exact,
            "value_at_least": self.value_bounds.map(|(least, _)| least),
            "value_at_most": self.value_bounds.map(|(_, most)| most),
            "seconds": self.seconds,
        })
    }

    pub fn text(&self) -> String {
        let value = self.value_bounds.map_or_else(String::new, |(least, most)| {
            format!("; the game's value for seat 0 is from {least:.15} to {most:.15}")
        });
        format!("proved: NashConv at most {:e}{value}", self.nash_conv_at_most)
    }
}
