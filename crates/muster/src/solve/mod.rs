//! `muster solve`: an equilibrium of a small game, and how far from one the result is.

pub(crate) mod algorithm;
mod certify;
mod memory;
pub(crate) mod minimizer;
mod plot;
pub(crate) mod report;
mod session;
mod stop;
mod strategy;

use crate::games;
use algorithm::{Algorithm, UpdateOrder};
use anyhow::{Context, bail};
use catalog::SolverVisitor;
use cfr::information::Everything;
use cfr::nash_conv::Evaluation;
use cfr::save::SavedSolve;
use cfr::{Policy, SequenceForm, Tree, compile};
use clap::Args;
use game::{Fingerprinted, Hidden, Notation, Render, Rules};
use memory::Memory;
use minimizer::Minimizer;
use report::Report;
use run::Exit;
use run::exit::Usage;
use session::{Limits, Session};
use std::path::PathBuf;
use stop::Stop;

/// Solve a small game by counterfactual regret minimization, and say how far from equilibrium the result is.
///
/// The game is laid out as a tree in memory and solved for all seats at once. What is printed is the average
/// strategy's NashConv: what all seats together could gain if each deviated alone to its best response; 0 in an
/// equilibrium. Exploitability is half of that, for two seats only. Both are exact, not estimates. The average strategy
/// approaches an equilibrium in zero-sum games of two seats; in others it need not.
///
///   muster solve kuhn                                       1,000 iterations of CFR+
///   muster solve leduc --algorithm dcfr --until 0.001       stop at a NashConv of 0.001
///   muster solve leduc --rule suits=isomorphic              equal suits taken together
///   muster solve kuhn --iterations 100000 --certify         prove a bound
///   muster solve leduc --iterations 1000000 --save leduc.solve --plot leduc.svg
///   muster solve leduc --iterations 2000000 --resume leduc.solve --strategy leduc.parquet
///
/// docs/solvers.md says what each algorithm computes, and what was measured.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct SolveArgs {
    /// A game's name; `muster games` lists them.
    game: String,
    /// An option of the game, e.g. --rule suits=isomorphic. May be given more than once.
    #[arg(long = "rule", value_name = "KEY=VALUE")]
    rules: Vec<String>,
    /// How the strategies are found.
    #[arg(long, value_enum, default_value_t = Algorithm::CfrPlus)]
    algorithm: Algorithm,
    /// dcfr: exponent of the discount of positive regrets [default: 1.5]
    #[arg(long, allow_negative_numbers = true)]
    alpha: Option<f64>,
    /// dcfr: exponent of the discount of negative regrets [default: 0]
    #[arg(long, allow_negative_numbers = true)]
    beta: Option<f64>,
    /// dcfr: exponent of the weight of an iteration's strategy in the average [default: 2]
    #[arg(long, allow_negative_numbers = true)]
    gamma: Option<f64>,
    /// Whether seats learn one after the other or all at once [default: alternating]
    #[arg(long, value_enum)]
    updates: Option<UpdateOrder>,
    /// How many iterations in all, those of a resumed solve included.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// Stop as soon as the average strategy's NashConv is at most this.
    #[arg(long, value_name = "NASHCONV", value_parser = not_negative, allow_negative_numbers = true)]
    until: Option<f64>,
    /// os-mccfr: probability of an action drawn uniformly instead of by strategy [default: 0.6]
    #[arg(long)]
    exploration: Option<f64>,
    /// The seed of the algorithms that draw [default: 1, or that of the resumed solve]
    #[arg(long)]
    seed: Option<u64>,
    /// Refuse a game whose tree would need more memory, e.g. 500MiB.
    #[arg(long, default_value = "8GiB")]
    max_memory: Memory,
    /// Write the solve to this file every --save-every seconds, at the end, and at Ctrl-C, which then ends in peace.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, requires = "save", value_parser = not_negative)]
    save_every: f64,
    /// Go on from a file that --save wrote, by the same algorithm.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Prove a bound on the average strategy's NashConv, and on a zero-sum game's value, in exact arithmetic.
    #[arg(long)]
    certify: bool,
    /// Write the average strategy as Parquet (docs/formats.md).
    #[arg(long, value_name = "FILE.parquet")]
    strategy: Option<PathBuf>,
    /// Draw NashConv by iteration, of the average and of the last strategies.
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number >= 0.0 && number.is_finite() => Ok(number),
        _ => Err("give a number from 0".to_owned()),
    }
}

pub fn run(args: &SolveArgs) -> anyhow::Result<Exit> {
    let options = games::options(&args.rules)?;
    let report = catalog::visit_solvable(&args.game, &options, Solve(args))
        .map_err(|error| Usage(error.to_string()))??;
    if args.json {
        println!("{}", report.json());
    } else {
        print!("{}", report.text());
    }
    Ok(Exit::Done)
}

impl SolveArgs {
    /// The seed where no file says another.
    fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    /// The game with its options, as the command line names it.
    fn game_name(&self) -> String {
        match &self.rules[..] {
            [] => self.game.clone(),
            rules => format!("{} ({})", self.game, rules.join(", ")),
        }
    }
}

struct Solve<'a>(&'a SolveArgs);

impl SolverVisitor for Solve<'_> {
    type Output = anyhow::Result<Report>;

    fn visit<G>(self, rules: G) -> anyhow::Result<Report>
    where
        G: Hidden + Rules<Setup = ()> + Notation + Render + Fingerprinted,
    {
        let args = self.0;
        let method = args.algorithm.method(args)?;
        let tree = compile(&rules, &(), &Everything, args.max_memory.bytes())
            .with_context(|| args.game_name())?;
        match method {
            algorithm::Method::Uniform => uniform(args, &tree),
            algorithm::Method::Minimize(method) => {
                let mut minimizer = method.begin(&tree, args.seed());
                let fingerprint = rules.fingerprint().to_string();
                minimize(args, &fingerprint, &tree, minimizer.as_mut(), &method.to_string())
            }
        }
    }
}

/// The values of the policy that chooses among all actions alike.
fn uniform(args: &SolveArgs, tree: &Tree) -> anyhow::Result<Report> {
    if args.save.is_some() || args.resume.is_some() || args.plot.is_some() {
        bail!(Usage(
            "--algorithm uniform solves nothing: leave out --save, --resume and --plot".to_owned()
        ));
    }
    let policy = Policy::uniform(tree);
    let evaluation = Evaluation::of(&SequenceForm::new(tree), &policy);
    let mut report = Report::of_tree(args.game_name(), "uniform".to_owned(), tree, &evaluation);
    if args.certify {
        report.certificate = Some(certify::certificate(tree, &policy)?);
    }
    if let Some(path) = &args.strategy {
        strategy::write(path, tree, &policy, &report)?;
    }
    Ok(report)
}

/// Runs a minimizer to its limits and writes what was asked for.
fn minimize(
    args: &SolveArgs,
    fingerprint: &str,
    tree: &Tree,
    minimizer: &mut dyn Minimizer,
    algorithm: &str,
) -> anyhow::Result<Report> {
    let game = args.game_name();
    if let Some(path) = &args.resume {
        let bytes = std::fs::read(path).with_context(|| format!("--resume {}", path.display()))?;
        resume(&bytes, &game, fingerprint, algorithm, args.seed, minimizer)
            .with_context(|| format!("--resume {}", path.display()))?;
    }
    let write_save = |minimizer: &dyn Minimizer| -> anyhow::Result<()> {
        let Some(path) = &args.save else { return Ok(()) };
        let saved = SavedSolve {
            game: game.clone(),
            fingerprint: fingerprint.to_owned(),
            algorithm: algorithm.to_owned(),
            stream: minimizer.stream(),
            state: minimizer.state(),
        };
        run::files::write_atomic(path, &saved.to_bytes())
            .with_context(|| format!("--save {}", path.display()))
    };
    // A path that cannot be written is said now and not after hours. A file that is there is kept until there is
    // something better.
    if args.save.as_ref().is_some_and(|path| !path.exists()) {
        write_save(minimizer)?;
    }
    let stop = if args.save.is_some() { Stop::on_signal()? } else { Stop::never() };
    let limits = Limits {
        iterations: args.iterations,
        until: args.until,
        save_every_s: args.save.as_ref().map(|_| args.save_every),
    };
    let form = SequenceForm::new(tree);
    let session = Session::run(minimizer, &form, &limits, &stop, &write_save)?;
    write_save(minimizer)?;
    let average = minimizer.average();
    let evaluation = Evaluation::of(&form, &average);
    let mut report = Report::of_tree(game, algorithm.to_owned(), tree, &evaluation).with_session(
        session,
        minimizer,
        args.save.as_deref(),
    );
    if args.certify {
        report.certificate = Some(certify::certificate(tree, &average)?);
    }
    if let Some(path) = &args.strategy {
        strategy::write(path, tree, &average, &report)?;
    }
    if let Some(path) = &args.plot {
        let svg = plot::svg(&report)?;
        run::files::write_atomic(path, svg.as_bytes())
            .with_context(|| format!("--plot {}", path.display()))?;
    }
    Ok(report)
}

fn resume(
    bytes: &[u8],
    game: &str,
    fingerprint: &str,
    algorithm: &str,
    seed: Option<u64>,
    minimizer: &mut dyn Minimizer,
) -> anyhow::Result<()> {
    let saved = SavedSolve::from_bytes(bytes)?;
    saved.belongs_to(game, fingerprint, algorithm)?;
    if let (Some(stream), Some(seed)) = (saved.stream, seed)
        && stream.seed != seed
    {
        bail!("it was drawn with --seed {}, not {seed}; leave the seed out", stream.seed);
    }
    minimizer.restore(&saved)
}
