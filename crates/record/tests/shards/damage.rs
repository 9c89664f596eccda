//! Proves: damaged bytes are an error that names the shard, never a panic and never rows, whether or not a
//! manifest would have caught them first. Every truncation point is tried, and a flip of every byte.

use crate::rows::{expected, game_rows, write};
use game::Stream;
use record::{ReadError, read_training, read_training_file};

fn shard_bytes() -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let closed = write(dir.path(), &[game_rows(1, 20, false), game_rows(2, 12, true)]);
    std::fs::read(&closed.path).unwrap()
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = shard_bytes();
    for len in 0..bytes.len() {
        let error = read_training("cut", bytes[..len].to_vec(), &expected())
            .map(|_| ())
            .expect_err("a truncated file has no footer");
        assert!(error.to_string().contains("cut"), "{len}: {error}");
    }
    read_training("whole", bytes, &expected()).unwrap();
}

/// Without a manifest a flipped byte may go unseen (a value that another could hold), but nothing panics, and
/// what is read obeys every range. With its manifest each one is refused.
#[test]
fn flipped_bytes_never_panic() {
    let bytes = shard_bytes();
    let dir = tempfile::tempdir().unwrap();
    let closed = write(dir.path(), &[game_rows(1, 20, false), game_rows(2, 12, true)]);
    let mut stream = Stream::from_seed(5);
    let mut n_refused = 0;
    let mut flip = |at: usize, mask: u8| {
        let mut broken = bytes.clone();
        broken[at] ^= mask;
        match read_training("flipped", broken.clone(), &expected()) {
            Err(_) => n_refused += 1,
            Ok(shard) => {
                let fits = |row: &record::TrainingRow| {
                    row.check(expected().now_len, expected().n_actions).is_ok()
                };
                assert!(shard.rows.iter().all(fits));
            }
        }
        let path = dir.path().join("broken.parquet");
        std::fs::write(&path, &broken).unwrap();
        let read = read_training_file(&path, &closed.manifest, &expected());
        assert!(matches!(read, Err(ReadError::Digest { .. })), "byte {at}");
    };
    for at in 0..bytes.len() {
        let mask = if at % 4 == 0 { 0xff } else { 1 << stream.below(8) };
        flip(at, mask);
    }
    assert!(n_refused > bytes.len() / 4, "only {n_refused} flips were refused");
}

#[test]
fn noise_is_no_shard() {
    let mut stream = Stream::from_seed(6);
    for len in [0usize, 1, 8, 100, 5000] {
        let mut bytes: Vec<u8> = (0..len).map(|_| stream.below(256) as u8).collect();
        assert!(read_training("noise", bytes.clone(), &expected()).is_err());
        if len >= 8 {
            bytes[..4].copy_from_slice(b"PAR1");
            bytes[len - 4..].copy_from_slice(b"PAR1");
            assert!(read_training("noise", bytes, &expected()).is_err());
        }
    }
}
