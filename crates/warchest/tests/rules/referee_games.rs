//! Proves that the rules agree with an independent engine: every recorded game replays with equal legal actions,
//! equal states and equal perft numbers at every ply; and that the comparison notices a difference.

use flate2::read::GzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use warchest::check::{BadGames, referee_games};

const GAMES: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/warchest/referee-games.jsonl.gz");

/// The first lines of the file, unpacked.
fn head(n_lines: usize) -> String {
    let file = BufReader::new(GzDecoder::new(File::open(GAMES).unwrap()));
    file.lines().take(n_lines).map(|line| line.unwrap() + "\n").collect()
}

#[test]
fn every_game_replays_equal_at_every_ply() {
    let report = referee_games(File::open(GAMES).unwrap()).unwrap();
    assert_eq!(report.first_mismatch, None, "{report:?}");
    assert_eq!((report.games, report.plies, report.perft_plies), (75, 34_272, 142));
    assert_eq!(
        (report.legal_mismatches, report.state_mismatches, report.perft_mismatches),
        (0, 0, 0)
    );
}

#[test]
fn a_changed_file_is_noticed() {
    let line = head(1);
    let changed = |from: &str, to: &str| {
        assert!(line.contains(from), "{from} is in the file");
        let text = line.replacen(from, to, 1);
        referee_games(text.as_bytes()).unwrap()
    };
    assert!(changed(r#""round":1"#, r#""round":2"#).state_mismatches > 0);
    assert!(changed(r#""legal":["draw:berserker_v2","#, r#""legal":["#).legal_mismatches > 0);
    assert!(changed(r#""decision":"main""#, r#""decision":"footman""#).state_mismatches > 0);
    assert!(
        changed(r#""hand":{"berserker_v2":1"#, r#""hand":{"berserker_v2":2"#).state_mismatches > 0
    );
    let with_perft = head(3).lines().last().unwrap().replacen(r#""perft":["#, r#""perft":[1"#, 1);
    assert_eq!(referee_games(with_perft.as_bytes()).unwrap().perft_mismatches, 1);
    assert!(changed(r#""end":"cap""#, r#""end":"six_markers""#).state_mismatches > 0);
    let impossible = changed(r#""play":"pass:berserker_v2""#, r#""play":"pass:archer""#);
    assert!(impossible.legal_mismatches > 0 && impossible.first_mismatch.is_some());
}

#[test]
fn bad_input_names_line_and_field() {
    let error = |text: &str| referee_games(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(error(""), "the file holds no game");
    assert!(error("{}\n").starts_with("line 1: field white: is missing"));
    assert!(error("\n[1,\n").starts_with("line 2: not a JSON object"));
    let line = head(1);
    let no_play = line.replacen(r#""play":"draw"#, r#""plan":"draw"#, 1);
    assert_eq!(error(&no_play), "line 1: field plies[0].play: is missing");
    let no_unit = line.replacen(r#""archer","royal_guard""#, r#""archer","royal_gard""#, 1);
    assert!(error(&no_unit).starts_with("line 1: field black[1]: \"royal_gard\" is not"));

    let mut cut = Vec::new();
    File::open(GAMES).unwrap().take(20_000).read_to_end(&mut cut).unwrap();
    assert!(matches!(referee_games(cut.as_slice()), Err(BadGames::Read { .. })));
}
