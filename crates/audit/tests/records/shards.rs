//! Proves: audit shards come back bit for bit, refuse what no record may hold, and damage is an error, never a
//! panic: under the seal too, where whoever holds the public key could write anything.

use crate::fixture::{IDENTITY, Spoil, Stored, origin, params, play, rules};
use audit::{AuditShardWriter, GameRecord, decode_audit, read_audit};
use game::{Fingerprint, Fingerprinted, Stream};
use record::{ReadError, WriteError};

fn bytes(records: &[GameRecord]) -> Vec<u8> {
    let mut stored = Stored::default();
    stored.put_audit("a-1", records);
    stored.files.remove("a-1").unwrap()
}

#[test]
fn records_come_back_bit_for_bit() {
    let records: Vec<_> = (40..43).map(|number| play(rules(), params(), number).record).collect();
    let shard = read_audit("a-1", &bytes(&records), &IDENTITY, rules().fingerprint()).unwrap();
    assert_eq!(shard.games, records);
    let n_rows: usize = records.iter().map(|record| 1 + record.plies.len()).sum();
    assert_eq!(shard.header.rows, n_rows as u64);
    let other = Fingerprint::of_text("other rules");
    let error = read_audit("a-1", &bytes(&records), &IDENTITY, other).unwrap_err();
    assert!(matches!(error, ReadError::Fingerprint { .. }), "{error}");
}

#[test]
fn the_writer_refuses_what_no_record_may_hold() {
    let record = play(rules(), params(), 44).record;
    let searched = record.plies.iter().position(|ply| ply.search.is_some()).unwrap();
    let spoilers: [(&str, Spoil<audit::SearchRow>); 5] = [
        ("visits", |search| search.visits.truncate(1)),
        ("chosen_idx", |search| search.chosen_idx = 9999),
        ("root_value", |search| search.root_value = f32::NAN),
        ("world_simulations", |search| search.worlds.clear()),
        ("world_n", |search| search.worlds[0].n.truncate(1)),
    ];
    let dir = tempfile::tempdir().unwrap();
    let mut writer =
        AuditShardWriter::create(dir.path(), origin("a-1"), &IDENTITY.recipient()).unwrap();
    for (column, spoil) in spoilers {
        let mut broken = record.clone();
        spoil(broken.plies[searched].search.as_mut().unwrap());
        match writer.push_game(broken) {
            Err(WriteError::Row { fault, ply, .. }) => {
                assert_eq!((fault.column, ply), (column, searched as u32));
            }
            other => panic!("{column}: {other:?}"),
        }
    }
    writer.push_game(record.clone()).unwrap();
    let twice = writer.push_game(record);
    assert!(matches!(twice, Err(WriteError::Row { .. })), "{twice:?}");
}

#[test]
fn damage_is_an_error() {
    let mut record = play(rules(), params(), 45).record;
    record.plies.truncate(25);
    let whole = IDENTITY.open("whole", &bytes(&[record])).unwrap();
    let fingerprint = rules().fingerprint();
    for len in 0..whole.len() {
        assert!(decode_audit("cut", whole[..len].to_vec(), fingerprint).is_err(), "{len}");
    }
    let mut stream = Stream::from_seed(8);
    for at in 0..whole.len() {
        let mut broken = whole.clone();
        broken[at] ^= 1 << stream.below(8);
        // Whatever comes of it, nothing panics.
        let _ = decode_audit("flipped", broken, fingerprint);
    }
    decode_audit("whole", whole, fingerprint).unwrap();
}
