//! Which numbers evaluations are computed in: chosen by measuring, never assumed.

use anyhow::Context;
use game::{ActionSpace, Encode};
use net::{Network, NetworkShape, Precision};
use run::ValidConfig;
use run::config::Precision as Wanted;

/// Float32 unless bfloat16 was asked for, or measured faster on this machine with the run's network.
pub fn choose<G: Encode + ActionSpace>(
    wanted: Wanted,
    rules: &G,
    config: &ValidConfig,
) -> anyhow::Result<Precision> {
    match wanted {
        Wanted::Float32 => Ok(Precision::Float32),
        Wanted::Bfloat16 => Ok(Precision::Bfloat16),
        Wanted::Auto => {
            let architecture =
                config.network.to_table().try_into().context("[network] of the run")?;
            let network = Network::random(architecture, NetworkShape::of(rules), 0)?;
            let choice = net::bench::measure_precision(&network, config.selfplay.batch as usize);
            tracing::info!(
                precision = %choice.precision,
                float32_evals_per_s = choice.float32_evals_per_s,
                bfloat16_evals_per_s = choice.bfloat16_evals_per_s,
                "precision measured"
            );
            Ok(choice.precision)
        }
    }
}
