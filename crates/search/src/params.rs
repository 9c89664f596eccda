//! Every constant that shapes a search, each in one place.

use serde::{Deserialize, Serialize};

/// The constants of one search. Absent keys keep the value of [`SearchParams::BASE`]; unknown keys are refused.
/// Read values go through [`SearchParams::check`] before they are used.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchParams {
    /// Worlds sampled at the root, one tree each; 1 to 1,024 and no more than `simulations`.
    pub worlds: u32,
    /// Simulations of one decision over all worlds together; 1 to 65,535 (a training row holds visits as u16).
    pub simulations: u32,
    /// Leaves that one world may have waiting for the network at a time; 1 to 64. More makes fuller batches and
    /// slightly staler choices of leaves.
    pub leaves_per_step: u32,
    /// Weight of the prior against the value in PUCT, at few visits; 0 to 100.
    pub c_puct: f64,
    /// Visits at which the weight has grown by ln 2: c(N) = c_puct + ln((N + base + 1) / base); 1 to 10⁹.
    pub c_puct_base: f64,
    /// First-play urgency: an unvisited action is valued as its node less this times the square root of the
    /// prior that has been visited; 0 to 2, in units of value.
    pub fpu_reduction: f64,
    /// Concentration of the Dirichlet noise a root action gets, times the number of legal actions; 0.01 to 1,000.
    /// The noise of a root with n actions is Dirichlet(total / n, …).
    pub noise_total: f64,
    /// Share of the root prior that is noise; 0 (none, and nothing is drawn) to 1.
    pub noise_share: f64,
    /// Temperature of the choice among merged visits before `temperature_plies`; 0 to 10. 0 takes the most
    /// visited action, 1 is proportional to visits.
    pub temperature: f64,
    /// Temperature from that ply on; 0 to 10.
    pub temperature_late: f64,
    /// Plies of the game, chance included, after which the late temperature holds.
    pub temperature_plies: u32,
    /// Strength of the bias towards control, attack and advance in every prior of a tree; 0 (none) to 10. Used
    /// in generation 0, whose network knows nothing; never touches a value.
    pub prior_shaping: f64,
}

impl SearchParams {
    /// The values of every key that is not given. Noise and temperature are off: this is how a player plays to
    /// win. Self-play sets its own in its config.
    pub const BASE: SearchParams = SearchParams {
        worlds: 2,
        simulations: 64,
        leaves_per_step: 1,
        c_puct: 1.25,
        c_puct_base: 19_652.0,
        fpu_reduction: 0.25,
        noise_total: 10.0,
        noise_share: 0.0,
        temperature: 0.0,
        temperature_late: 0.0,
        temperature_plies: 0,
        prior_shaping: 0.0,
    };

    /// Refuses values outside the ranges that the fields state.
    pub fn check(&self) -> Result<(), OutOfRange> {
        within("worlds", f64::from(self.worlds), 1.0, 1024.0)?;
        within("simulations", f64::from(self.simulations), 1.0, 65_535.0)?;
        within("leaves_per_step", f64::from(self.leaves_per_step), 1.0, 64.0)?;
        within("c_puct", self.c_puct, 0.0, 100.0)?;
        within("c_puct_base", self.c_puct_base, 1.0, 1e9)?;
        within("fpu_reduction", self.fpu_reduction, 0.0, 2.0)?;
        within("noise_total", self.noise_total, 0.01, 1000.0)?;
        within("noise_share", self.noise_share, 0.0, 1.0)?;
        within("temperature", self.temperature, 0.0, 10.0)?;
        within("temperature_late", self.temperature_late, 0.0, 10.0)?;
        within("prior_shaping", self.prior_shaping, 0.0, 10.0)?;
        // Every world gets at least one simulation.
        within("worlds", f64::from(self.worlds), 1.0, f64::from(self.simulations))
    }

    /// The temperature of a decision taken at `ply` (0 is the first ply of the game).
    pub fn temperature_at(&self, ply: u32) -> f64 {
        if ply < self.temperature_plies { self.temperature } else { self.temperature_late }
    }
}

impl Default for SearchParams {
    fn default() -> Self {
        SearchParams::BASE
    }
}

/// A search constant outside its range.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("search key {key} is {value}: give a number from {min} to {max}")]
pub struct OutOfRange {
    pub key: &'static str,
    pub value: f64,
    pub min: f64,
    pub max: f64,
}

fn within(key: &'static str, value: f64, min: f64, max: f64) -> Result<(), OutOfRange> {
    // NaN compares with nothing and is refused too.
    if value >= min && value <= max {
        return Ok(());
    }
    Err(OutOfRange { key, value, min, max })
}
