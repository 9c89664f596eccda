//! A player as a process: told only what its seat may know, it plays exactly as it would in the arena, and nonsense
//! changes nothing.

use game::{GameId, Hidden, RunSeed, Seat, Stream, Turn};
use net::{Architecture, EvaluatorOptions, NetEvaluator, Network, NetworkShape, Precision};
use referee::Truth;
use search::SearchParams;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::mpsc;
use warchest::{Action, StructuralUniform, WarChest};
use worker::player::message::{Said, Told, to_hex};
use worker::player::stream::{SeatStream, hello};
use worker::player::{Mind, Player, Sitting};
use worker::player_protocol::Process;

const RULES: WarChest = WarChest {
    pool: warchest::Pool::Base,
    royal_guard: warchest::RoyalGuardCard::Revised,
    cap: Some(12),
    dealing: warchest::Dealing::Random,
    board: warchest::Board::PRINTED,
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

    fn refuses(&mut self, line: &str, part: &str) {
        self.write(line);
        let Said::Error { message } = self.hear() else { panic!("{line} is followed") };
        assert!(message.contains(part), "{line}: {message}");
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

fn legal(truth: &Truth<WarChest>, seat: Seat) -> Vec<Action> {
    let mut legal = Vec::new();
    let _ = RULES.now_actions(truth.observation(seat).now(), &mut legal);
    legal
}

#[test]
fn a_process_plays_as_the_player_does_in_the_arena() {
    let mut host = Host::start();
    host.write(hello(&RULES, 10.0).trim_end());
    let Said::Ready { protocol, rules_fingerprint, .. } = host.hear() else {
        panic!("ready comes first")
    };
    assert_eq!(protocol, 2);
    assert_eq!(rules_fingerprint.map(|digits| digits.len()), Some(64));
    let seat = Seat::FIRST;
    let mut stream = Stream::from_seed(4);
    let setup = game::Rules::deal(&RULES, &mut stream);
    let mut truth = Truth::new(RULES, &setup);
    let id = GameId([0xab; 16]);
    let mut told = SeatStream::new(id);
    let (player, mut evaluator) = player(3);
    let mut sitting = Sitting::new(&player, &RULES, &StructuralUniform);
    let mut n_decided = 0;
    while truth.turn() != Turn::Over {
        match truth.turn() {
            Turn::Chance => {
                truth.draw(&mut stream);
            }
            Turn::Seat(to_act) if to_act == seat => {
                let at = (RunSeed(9), id, truth.plies().len() as u32);
                let seen = truth.observation(seat);
                let (expected, _) = sitting.decide(&RULES, seen, at, Some(&mut evaluator)).unwrap();
                host.write(told.act(&RULES, seen, &legal(&truth, seat)).trim_end());
                let Said::Action { action, .. } = host.hear() else { panic!("an action") };
                assert_eq!(action, game::Notation::action_text(&RULES, expected));
                n_decided += 1;
                truth.play(expected).unwrap();
            }
            Turn::Seat(_) => {
                let legal = truth.legal();
                truth.play(legal[stream.below(legal.len() as u32) as usize]).unwrap();
            }
            Turn::Over => unreachable!(),
        }
    }
    assert!(n_decided >= 5, "{n_decided}");
    host.tell(&Told::Quit);
}

#[test]
fn nonsense_is_an_error_and_changes_nothing() {
    let mut host = Host::start();
    let mut stream = Stream::from_seed(4);
    let setup = game::Rules::deal(&RULES, &mut stream);
    let truth = Truth::new(RULES, &setup);
    let now = now_digits(&truth, Seat::FIRST);
    let setup = game::Notation::setup_text(&RULES, &setup);
    let start = |seat: u8, setup: &str, now: &str| {
        let (game, setup, now) = ("g".to_owned(), setup.to_owned(), now.to_owned());
        serde_json::to_string(&Told::Start { game, seat, setup, now }).unwrap()
    };
    host.refuses("hello", "not a message");
    host.refuses(&start(0, &setup, &now), "hello comes first");
    let other = WarChest { cap: Some(13), ..RULES };
    host.refuses(hello(&other, 10.0).trim_end(), "other rules");
    host.refuses(&hello(&RULES, 10.0).trim_end().replace("war-chest\",", "chess\","), "chess");
    host.refuses(&hello(&RULES, 10.0).trim_end().replace(":2,", ":3,"), "protocol 3");
    host.write(hello(&RULES, 10.0).trim_end());
    assert!(matches!(host.hear(), Said::Ready { .. }));
    let act = |now: &str| format!(r#"{{"type":"act","legal":[],"now":"{now}"}}"#);
    host.refuses(&act(&now), "no game");
    host.refuses(&start(0, &setup, "zz"), "hexadecimal");
    host.refuses(&start(0, &setup, "00"), "does not decode");
    host.refuses(&start(1, &setup, &now), "seat 0");
    host.refuses(&start(0, "armies", &now), "set-up");
    host.refuses(&start(0, &setup, &now).replace("\"seat\"", "\"truth\":1,\"seat\""), "truth");
    host.write(&start(0, &setup, &now));
    // It is chance's turn.
    host.refuses(&act(&now), "not to act");
    host.refuses(&act(&now_digits(&truth, Seat::SECOND)), "seat 1");
    host.refuses(r#"{"type":"event","event":"white flew -"}"#, "flew");
    host.tell(&Told::Quit);
}
