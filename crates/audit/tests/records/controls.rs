//! Proves: a clean run is clean, and every way we know of to spoil one is found and named although file and
//! manifest agree with each other. The three negative controls are the first three spoilers.

use crate::fixture::{Again, Played, Spoil, Stored, params, play, rules};
use audit::{AuditReport, Check, Finding, GameRecord, VerifyOptions};
use record::TrainingRow;
use std::sync::LazyLock;

static GAMES: LazyLock<Vec<Played>> =
    LazyLock::new(|| (0..4).map(|number| play(rules(), params(), number)).collect());

const FEW: VerifyOptions = VerifyOptions { pairs: 0, world_decisions: 20, seed: 1 };

fn rows() -> Vec<Vec<TrainingRow>> {
    GAMES.iter().map(|game| game.rows.clone()).collect()
}

fn records() -> Vec<GameRecord> {
    GAMES.iter().map(|game| game.record.clone()).collect()
}

fn with_rows(spoil: impl FnOnce(&mut Vec<Vec<TrainingRow>>)) -> AuditReport {
    let mut stored = Stored::of(&GAMES);
    let mut rows = rows();
    spoil(&mut rows);
    stored.put_training("t-1", &rows);
    stored.verify(FEW)
}

fn with_records(spoil: impl FnOnce(&mut Vec<GameRecord>)) -> AuditReport {
    let mut stored = Stored::of(&GAMES);
    let mut records = records();
    spoil(&mut records);
    stored.put_audit("a-1", &records);
    stored.verify(FEW)
}

fn only(report: &AuditReport) -> &Finding {
    assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
    assert_eq!(report.differences, 1);
    &report.findings[0]
}

#[test]
fn a_clean_run_is_clean() {
    let options = VerifyOptions { pairs: 60, world_decisions: 100, seed: 1 };
    let report = Stored::of(&GAMES).verify(options);
    assert!(report.is_clean(), "{:#?}", report.findings);
    assert_eq!(report.games_replayed, 4);
    let n_rows: usize = rows().iter().map(Vec::len).sum();
    assert_eq!((report.rows_checked, report.rederived_equal), (n_rows as u64, n_rows as u64));
    assert!(n_rows > 100, "{n_rows}");
    assert_eq!((report.worlds_checked, report.worlds_invalid), (200, 0));
    assert_eq!(report.two_world_pairs, 60, "enough decisions have a second truth");
}

#[test]
fn one_flipped_byte_is_found() {
    let n_before = rows()[0].len() as u64;
    let report = with_rows(|rows| rows[1][3].now[17] ^= 4);
    let finding = only(&report);
    let row = &rows()[1][3];
    assert_eq!((finding.check, finding.shard.as_str()), (Check::Row, "t-1"));
    assert_eq!((finding.row, finding.column), (Some(n_before + 3), Some("now")));
    assert_eq!((finding.game, finding.ply), (Some(row.game), Some(row.ply)));
    assert_eq!(report.rederived_equal + 1, report.rows_checked);
}

#[test]
fn one_row_moved_to_the_other_seat_is_found() {
    let report = with_rows(|rows| rows[0][5].seat = 1 - rows[0][5].seat);
    let finding = only(&report);
    assert_eq!(finding.check, Check::Row);
    assert_eq!((finding.row, finding.column), (Some(5), Some("seat")));
    assert_eq!(finding.seat, Some(rows()[0][5].seat), "the seat that really acted");
}

#[test]
fn one_missing_row_is_found() {
    let missing = rows()[2][4].clone();
    let report = with_rows(|rows| drop(rows[2].remove(4)));
    let finding = only(&report);
    assert_eq!((finding.check, finding.shard.as_str()), (Check::MissingRow, "t-1"));
    assert_eq!(finding.game, Some(missing.game));
    assert_eq!((finding.ply, finding.seat), (Some(missing.ply), Some(missing.seat)));
    let text = finding.to_string();
    let ply = format!("game {} ply {} seat {}", missing.game, missing.ply, missing.seat);
    assert!(text.contains("shard t-1") && text.contains(&ply), "{text}");
}

#[test]
fn every_other_column_is_compared() {
    let spoilers: [(&str, Spoil<TrainingRow>); 6] = [
        ("checkpoint", |row| row.checkpoint = "run-s000009-000000000000".into()),
        ("n_legal", |row| row.n_legal += 1),
        ("visits", |row| row.visits[0].visits += 1),
        ("root_value", |row| row.root_value = f32::from_bits(row.root_value.to_bits() ^ 1)),
        ("policy_weight", |row| row.policy_weight = 0.5),
        ("outcome", |row| {
            row.outcome = 1;
            row.value_weight = 1.0;
        }),
    ];
    for (column, spoil) in spoilers {
        let report = with_rows(|rows| {
            for row in &mut rows[0] {
                // A game's rows agree on these two columns; one game is changed as a whole.
                if matches!(column, "checkpoint" | "outcome") {
                    row.truncated = false;
                    spoil(row);
                }
            }
            if !matches!(column, "checkpoint" | "outcome") {
                spoil(&mut rows[0][2]);
            }
        });
        let names = |finding: &Finding| finding.column == Some(column);
        assert!(report.findings.iter().any(names), "{column}: {:#?}", report.findings);
    }
}

#[test]
fn surplus_rows_are_found() {
    let report = with_rows(|rows| {
        let mut row = rows[0].last().unwrap().clone();
        row.ply += 400;
        rows[0].push(row);
    });
    assert_eq!(only(&report).check, Check::SurplusRow);
    let mut stored = Stored::of(&GAMES);
    stored.put_audit("a-1", &records()[1..]);
    let report = stored.verify(FEW);
    assert_eq!(report.differences, rows()[0].len() as u64);
    assert!(report.findings.iter().all(|finding| finding.check == Check::SurplusRow));
}

#[test]
fn a_wrong_digest_is_reported_and_does_not_end_the_check() {
    let mut stored = Stored::of(&GAMES);
    stored.shards.training[0].digest = "0".repeat(64);
    let report = stored.verify(FEW);
    assert_eq!(only(&report).check, Check::Digest);
    assert_eq!(report.rows_checked, report.rederived_equal);
    assert_eq!(report.games_replayed, 4);
    // A byte changed on disk alone: the digest tells, and the rest is still checked.
    let mut stored = Stored::of(&GAMES);
    let file = stored.files.get_mut("t-1").unwrap();
    let at = file.len() / 2;
    file[at] ^= 1;
    let report = stored.verify(FEW);
    assert_eq!(report.findings[0].check, Check::Digest);
    assert_eq!(report.games_replayed, 4);
}

#[test]
fn unreadable_and_absent_shards_are_findings() {
    let mut stored = Stored::of(&GAMES);
    stored.files.get_mut("a-1").unwrap().truncate(1000);
    let report = stored.verify(FEW);
    let checks: Vec<Check> = report.findings.iter().map(|finding| finding.check).collect();
    assert_eq!(checks, [Check::Digest, Check::Unreadable]);
    let mut stored = Stored::of(&GAMES);
    stored.files.remove("t-1");
    let report = stored.verify(FEW);
    assert_eq!(report.findings[0].check, Check::Unreadable);
    let n_rows: usize = rows().iter().map(Vec::len).sum();
    assert_eq!(report.differences, 1 + n_rows as u64, "every row is missing");
}

#[test]
fn a_record_that_is_no_game_is_found() {
    let spoilers: [fn(&mut GameRecord); 6] = [
        |record| drop(record.plies.pop()),
        |record| record.plies[20].action = "nonsense".to_owned(),
        |record| {
            // A coin drawn where a seat is to act.
            let drawn = record.plies[0].action.clone();
            let decided = record.plies.iter_mut().find(|ply| ply.seat.is_some());
            decided.unwrap().action = drawn;
        },
        |record| record.setup.utilities = Some(vec![0.5, -0.5]),
        |record| record.plies[0].seat = Some(record.plies[0].seat.map_or(0, |seat| 1 - seat)),
        |record| record.setup.start = record.setup.setup.clone(),
    ];
    for (idx, spoil) in spoilers.into_iter().enumerate() {
        let report = with_records(|records| spoil(&mut records[3]));
        let check = report.findings.first().map(|finding| finding.check);
        assert_eq!(check, Some(Check::Replay), "{idx}: {:#?}", report.findings);
        assert_eq!(report.games_replayed, 3);
    }
    let report = with_records(|records| {
        let twice = records[0].clone();
        records.push(GameRecord { game: game::GameId([7; 16]), ..twice });
    });
    // A game that was never trained on: each of its rows is missing.
    assert_eq!(report.differences, rows()[0].len() as u64);
}

#[test]
fn a_search_record_that_contradicts_itself_is_found() {
    let spoilers: [(&str, Spoil<audit::SearchRow>); 5] = [
        ("visits", |search| search.visits[0] += 1),
        ("world_simulations", |search| search.worlds[1].simulations += 1),
        ("root_value", |search| search.root_value = 0.123),
        ("chosen_idx", |search| {
            search.chosen_idx = (search.chosen_idx + 1) % search.visits.len() as u16;
        }),
        ("visits", |search| {
            search.visits.push(0);
            for world in &mut search.worlds {
                world.n.push(0);
                world.q.push(0.0);
            }
        }),
    ];
    for (column, spoil) in spoilers {
        let report = with_records(|records| {
            let mut searched = records[1].plies.iter_mut().filter_map(|ply| ply.search.as_mut());
            spoil(searched.nth(6).unwrap());
        });
        let finding = report.findings.iter().find(|finding| finding.check == Check::Search);
        assert_eq!(finding.and_then(|finding| finding.column), Some(column));
    }
}

#[test]
fn worlds_of_another_belief_or_seed_are_found() {
    let report = with_records(|records| {
        let searched = records.iter_mut().flat_map(|record| &mut record.plies);
        searched.filter_map(|ply| ply.search.as_mut()).for_each(|search| {
            search.belief = "clairvoyant".to_owned();
        });
    });
    assert_eq!(report.worlds_invalid, report.worlds_checked);
    assert!(report.worlds_checked > 0);
    // Another seed gives other, valid worlds; only the repeated search tells.
    let mut stored = Stored::of(&GAMES);
    let mut records = records();
    for search in
        records.iter_mut().flat_map(|it| &mut it.plies).filter_map(|it| it.search.as_mut())
    {
        search.belief_seed ^= 1;
    }
    stored.put_audit("a-1", &records);
    let report = stored.verify(VerifyOptions { pairs: 10, world_decisions: 10, seed: 1 });
    assert_eq!(report.worlds_invalid, 0);
    assert_eq!(report.differences, 10, "{:#?}", report.findings);
    assert!(report.findings.iter().all(|finding| finding.check == Check::TwoWorlds));
}

/// A search that depends on anything but observation and seed.
#[test]
fn interference_is_found() {
    let options = VerifyOptions { pairs: 10, world_decisions: 0, seed: 1 };
    let mut broken = Again { params: params(), drift: 1000 };
    let report = Stored::of(&GAMES).verify_with(options, &mut broken);
    assert_eq!(report.two_world_pairs, 10);
    assert!(report.differences >= 10, "{}", report.differences);
    assert!(report.findings.iter().all(|finding| finding.check == Check::TwoWorlds));
}
