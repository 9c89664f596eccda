use super::{CommonArgs, architecture, conditions};
use catalog::GameVisitor;
use game::{Belief, PipelineGame};
use net::{Architecture, Network, NetworkShape, Precision};
use serde::Serialize;
use std::time::Duration;

#[derive(Serialize)]
struct Report {
    network: String,
    parameters: usize,
    batch: usize,
    float32_evals_per_s: f64,
    bfloat16_evals_per_s: f64,
    conditions: String,
}

pub fn run(args: &CommonArgs) -> anyhow::Result<()> {
    let config = args.config()?;
    let architecture = architecture(&config)?;
    let measure = Measure {
        architecture,
        batch: config.selfplay.batch as usize,
        duration: Duration::from_secs_f64(args.seconds),
    };
    let report = catalog::visit(&config.run.game, &config.rules, measure)??;
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        println!(
            "{} ({} parameters), batch {}: {:.0} evals/s in float32, {:.0} in bfloat16\n{}",
            report.network,
            report.parameters,
            report.batch,
            report.float32_evals_per_s,
            report.bfloat16_evals_per_s,
            report.conditions
        );
    }
    Ok(())
}

struct Measure {
    architecture: Architecture,
    batch: usize,
    duration: Duration,
}

impl GameVisitor for Measure {
    type Output = anyhow::Result<Report>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, _: B) -> Self::Output {
        let network = Network::random(self.architecture, NetworkShape::of(&rules), 0)?;
        let speed =
            |precision| net::bench::evals_per_s(&network, precision, self.batch, self.duration);
        Ok(Report {
            network: self.architecture.to_string(),
            parameters: network.n_parameters(),
            batch: self.batch,
            float32_evals_per_s: speed(Precision::Float32),
            bfloat16_evals_per_s: speed(Precision::Bfloat16),
            conditions: conditions(Precision::Float32, self.batch),
        })
    }
}
