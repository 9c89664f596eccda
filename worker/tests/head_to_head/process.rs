//! A player as a process: told only what its seat may know, it plays exactly as it would in the arena, and nonsense
//! changes nothing.

use game::{GameId, Hidden, Render, RunSeed, Seat, Stream, Turn};
use net::{Architecture, EvaluatorOptions, NetEvaluator, Network, NetworkShape, Precision};
use referee::Truth;
use search::SearchParams;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::mpsc;
use warchest::{Action, StructuralUniform, WarChest};
use worker::player::{Mind, Player, Sitting};
use worker::player_protocol::{Process, Said, Told, to_hex};

const RULES: WarChest = WarChest {
    pool: warchest::Pool::Base,
    royal_guard: warchest::RoyalGuardCard::Revised,
    cap: Some(12),
    dealing: warchest::Dealing::Random,
};

fn player(seed: u64) -> (Player, NetEvaluator<WarChest>) {
    let network =
        Network::random(Architecture::Mlp { hidden: 16 }, NetworkShape::of(&RULES), seed).unwrap();
    let options =
        EvaluatorOptions { batch_size: 8, precision: Precision::Float32, cache_entries: 0 };
    let evaluator = NetEvaluator::new(RULES, &network, options).unwrap();
    let params = SearchParams { simulations: 8, temperature: 1.0, ..SearchParams::BASE };
    (
        Player {
            name: "net".to_owned(),
            mind: Mind::Search { params, network: Box::new(network) },
        },
        evaluator,
    )
}

/// A pipe between threads.
struct Sink(mpsc::Sender<Vec<u8>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let _ = self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

struct Source(mpsc::Receiver<Vec<u8>>, Vec<u8>);

impl Read for Source {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let n = self.1.len().min(into.len());
        into[..n].copy_from_slice(&self.1[..n]);
        self.1.drain(..n);
        Ok(n)
    }
}

/// The host's side of a process that runs on another thread.
struct Host {
    to: Sink,
    from: BufReader<Source>,
}

impl Host {
    fn start() -> Host {
        let ((to, input), (output, from)) = (mpsc::channel(), mpsc::channel());
        std::thread::spawn(move || {
            let (player, evaluator) = player(3);
            let process =
                Process::new(RULES, StructuralUniform, player, Some(evaluator), RunSeed(9));
            let input = BufReader::new(Source(input, Vec::new()));
            process.serve(input, Sink(output)).unwrap();
        });
        Host { to: Sink(to), from: BufReader::new(Source(from, Vec::new())) }
    }

    fn tell(&mut self, told: &Told) {
        self.write(&serde_json::to_string(told).unwrap());
    }

    fn write(&mut self, line: &str) {
        writeln!(self.to, "{line}").unwrap();
    }

    fn hear(&mut self) -> Said {
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }
}

fn now_digits(truth: &Truth<WarChest>, seat: Seat) -> String {
    let mut bytes = Vec::new();
    RULES.write_now(truth.observation(seat).now(), &mut bytes);
    to_hex(&bytes)
}

#[test]
fn a_process_plays_as_the_player_does_in_the_arena() {
    let mut host = Host::start();
    let Said::Ready { protocol, observation, .. } = host.hear() else {
        panic!("ready comes first")
    };
    assert_eq!((protocol, observation.as_str()), (1, "observation-v1"));
    let seat = Seat::FIRST;
    let mut stream = Stream::from_seed(4);
    let setup = game::Rules::deal(&RULES, &mut stream);
    let mut truth = Truth::new(RULES, &setup);
    host.tell(&Told::NewGame { game: "g".to_owned(), now: now_digits(&truth, seat) });
    let (player, mut evaluator) = player(3);
    let mut sitting = Sitting::new(&player, &RULES, &StructuralUniform);
    let mut id = GameId([0; 16]);
    id.0[0] = b'g';
    let mut n_decided = 0;
    while truth.turn() != Turn::Over {
        let action: Action = match truth.turn() {
            Turn::Chance => {
                truth.draw(&mut stream);
                *truth.plies().last().unwrap()
            }
            Turn::Seat(to_act) if to_act == seat => {
                let at = (RunSeed(9), id, truth.plies().len() as u32);
                let seen = truth.observation(seat);
                let (expected, _) = sitting.decide(&RULES, seen, at, Some(&mut evaluator)).unwrap();
                host.tell(&Told::Decide);
                let Said::Action { action, .. } = host.hear() else { panic!("an action") };
                assert_eq!(action, game::Notation::action_text(&RULES, expected));
                n_decided += 1;
                truth.play(expected).unwrap();
                expected
            }
            Turn::Seat(_) => {
                let legal = truth.legal();
                let action = legal[stream.below(legal.len() as u32) as usize];
                truth.play(action).unwrap();
                action
            }
            Turn::Over => unreachable!(),
        };
        let _ = action;
        let event = truth.observation(seat).events().last().unwrap();
        let event = RULES.event_text(event);
        host.tell(&Told::Ply { event, now: now_digits(&truth, seat) });
    }
    assert!(n_decided >= 5, "{n_decided}");
    host.tell(&Told::Quit);
}

#[test]
fn nonsense_is_an_error_and_changes_nothing() {
    let mut host = Host::start();
    host.hear();
    let mut stream = Stream::from_seed(4);
    let setup = game::Rules::deal(&RULES, &mut stream);
    let truth = Truth::new(RULES, &setup);
    let now = now_digits(&truth, Seat::FIRST);
    for line in [
        "hello".to_owned(),
        r#"{"type":"decide"}"#.to_owned(),
        r#"{"type":"new_game","now":"zz"}"#.to_owned(),
        r#"{"type":"new_game","now":"00"}"#.to_owned(),
        format!(r#"{{"type":"new_game","now":"{now}","truth":1}}"#),
    ] {
        host.write(&line);
        assert!(matches!(host.hear(), Said::Error { .. }), "{line}");
    }
    host.tell(&Told::NewGame { game: String::new(), now: now.clone() });
    for line in [
        // It is chance's turn.
        r#"{"type":"decide"}"#.to_owned(),
        format!(r#"{{"type":"ply","event":"white flew -","now":"{now}"}}"#),
        format!(
            r#"{{"type":"ply","event":"black drew -","now":"{}"}}"#,
            now_digits(&truth, Seat::SECOND)
        ),
    ] {
        host.write(&line);
        assert!(matches!(host.hear(), Said::Error { .. }), "{line}");
    }
    host.tell(&Told::Quit);
}
