use super::{CommonArgs, architecture, conditions};
use crate::selfplay::command::{games_in_flight, n_threads};
use crate::selfplay::game::SelfPlayGame;
use crate::selfplay::pool::{Left, Pool};
use anyhow::Context;
use catalog::GameVisitor;
use game::{Belief, DealSecret, PipelineGame, RunSeed};
use net::{EvaluatorOptions, NetEvaluator, Network, NetworkShape};
use run::ValidConfig;
use search::SearchParams;
use serde::Serialize;
use std::time::{Duration, Instant};

#[derive(Serialize)]
struct Report {
    /// Forward-pass rows that carried a request; cache hits are not evaluations.
    evals_per_s: f64,
    /// The same number of threads doing nothing but forward passes at this batch and precision.
    raw_ceiling_evals_per_s: f64,
    ratio: f64,
    games_per_hour: f64,
    plies_per_s: f64,
    simulations_per_s: f64,
    cache_hit_share: f64,
    batch_fill: f64,
    threads: usize,
    games_in_flight: usize,
    network: String,
    conditions: String,
}

pub fn run(args: &CommonArgs) -> anyhow::Result<()> {
    let config = args.config()?;
    let duration = Duration::from_secs_f64(args.seconds);
    let measure = Measure { config: config.clone(), duration };
    let report = catalog::visit(&config.run.game, &config.rules, measure)??;
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        println!(
            "{:.0} evals/s of a ceiling of {:.0} (ratio {:.2}); {:.0} games/h, {:.0} plies/s, \
             {:.0} simulations/s\n{} threads, {} games each, {}, batches {:.0} % full, {:.0} % cache hits; {}",
            report.evals_per_s,
            report.raw_ceiling_evals_per_s,
            report.ratio,
            report.games_per_hour,
            report.plies_per_s,
            report.simulations_per_s,
            report.threads,
            report.games_in_flight,
            report.network,
            100.0 * report.batch_fill,
            100.0 * report.cache_hit_share,
            report.conditions
        );
    }
    Ok(())
}

struct Measure {
    config: ValidConfig,
    duration: Duration,
}

/// What one thread did.
#[derive(Default)]
struct Done {
    evals: u64,
    rows: u64,
    cache_hits: u64,
    plies: u64,
    games: u64,
    simulations: u64,
    seconds: f64,
}

impl GameVisitor for Measure {
    type Output = anyhow::Result<Report>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, belief: B) -> Self::Output {
        let selfplay = &self.config.selfplay;
        let mut params: SearchParams = self.config.search.clone().try_into().context("[search]")?;
        params.prior_shaping = selfplay.prior_shaping;
        params.check().context("[search]")?;
        let network = Network::random(architecture(&self.config)?, NetworkShape::of(&rules), 0)?;
        let options = EvaluatorOptions {
            batch_size: selfplay.batch as usize,
            precision: crate::precision::choose(selfplay.precision, &rules, &self.config)?,
            cache_entries: selfplay.eval_cache as usize,
        };
        let n_threads = n_threads(selfplay.threads);
        let n_games = games_in_flight(selfplay, &params);
        let networks: Vec<Network> = (0..n_threads).map(|_| network.clone()).collect();
        let played = on_threads(networks, |thread_idx, network| {
            let evaluator = NetEvaluator::new(rules.clone(), &network, options)
                .expect("the network was made for the game");
            play(&rules, &belief, params, evaluator, n_games, thread_idx as u64, self.duration)
        });
        let networks: Vec<Network> = (0..n_threads).map(|_| network.clone()).collect();
        let ceilings = on_threads(networks, |_, network| {
            net::bench::evals_per_s(&network, options.precision, options.batch_size, self.duration)
        });
        let rate = |count: fn(&Done) -> u64| -> f64 {
            played.iter().map(|done| count(done) as f64 / done.seconds).sum()
        };
        let (evals_per_s, ceiling) = (rate(|done| done.evals), ceilings.iter().sum::<f64>());
        let total = |count: fn(&Done) -> u64| played.iter().map(count).sum::<u64>() as f64;
        Ok(Report {
            evals_per_s,
            raw_ceiling_evals_per_s: ceiling,
            ratio: evals_per_s / ceiling,
            games_per_hour: 3600.0 * rate(|done| done.games),
            plies_per_s: rate(|done| done.plies),
            simulations_per_s: rate(|done| done.simulations),
            cache_hit_share: total(|d| d.cache_hits) / total(|d| d.cache_hits + d.evals).max(1.0),
            batch_fill: total(|done| done.evals) / total(|done| done.rows).max(1.0),
            threads: n_threads,
            games_in_flight: n_games,
            network: architecture(&self.config)?.to_string(),
            conditions: conditions(options.precision, options.batch_size),
        })
    }
}

fn on_threads<T: Send, R: Send>(inputs: Vec<T>, work: impl Fn(usize, T) -> R + Sync) -> Vec<R> {
    std::thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = inputs
            .into_iter()
            .enumerate()
            .map(|(idx, input)| scope.spawn(move || work(idx, input)))
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("a bench thread panicked")).collect()
    })
}

/// Plays for `duration`, new games taking the place of ended ones. Only ended games are counted, so that short
/// measurements show fewer games, plies and simulations than there were.
fn play<G: PipelineGame, B: Belief<G>>(
    rules: &G,
    belief: &B,
    params: SearchParams,
    mut evaluator: NetEvaluator<G>,
    n_games: usize,
    thread_idx: u64,
    duration: Duration,
) -> Done {
    let secret = DealSecret([7; 32]);
    let mut numbers = (thread_idx << 32)..;
    let mut pool = Pool::new(evaluator.options().batch_size);
    let mut done = Done::default();
    let started = Instant::now();
    while started.elapsed() < duration {
        while pool.n_games() < n_games {
            let number = numbers.next().expect("numbers do not end");
            pool.add(SelfPlayGame::deal(rules, belief, params, RunSeed(1), &secret, number));
        }
        let mut left = Vec::new();
        pool.step(&mut evaluator, &mut left);
        for game in left {
            if let Left::Over { game, .. } = game {
                done.games += 1;
                done.plies += game.plies.len() as u64;
                done.simulations += game
                    .plies
                    .iter()
                    .filter_map(|ply| ply.searched.as_ref())
                    .map(|searched| u64::from(searched.decision.simulations()))
                    .sum::<u64>();
            }
        }
    }
    done.seconds = started.elapsed().as_secs_f64();
    let counters = evaluator.counters();
    done.evals = counters.evals;
    done.cache_hits = counters.cache_hits;
    done.rows = counters.evals + counters.padded_rows;
    done
}
