//! Proves: what is written of an audit shard holds nothing of its plaintext, opens with its key alone, and a wrong
//! key, a cut or a flipped bit anywhere is an error that names the shard, never a panic.

use crate::fixture::{CHECKPOINT, IDENTITY, Stored, origin, params, play, rules};
use audit::seal::MAGIC;
use audit::{AuditShardWriter, Identity, KeyError, Recipient, read_audit, read_audit_of};
use game::Fingerprinted;
use record::{ReadError, Seal, ShardManifest};
use std::path::Path;

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Every file below `dir`.
fn files(dir: &Path) -> Vec<Vec<u8>> {
    std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| std::fs::read(entry.unwrap().path()).unwrap())
        .collect()
}

#[test]
fn plaintext_never_reaches_the_disk() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer =
        AuditShardWriter::create(dir.path(), origin("a-1"), &IDENTITY.recipient()).unwrap();
    let record = play(rules(), params(), 46).record;
    // The writer empties its memory several times on the way.
    let mut n_rows = 0;
    for number in 0u8..200 {
        let mut record = record.clone();
        record.game.0[0] = number;
        n_rows += 1 + record.plies.len();
        writer.push_game(record).unwrap();
        assert!(files(dir.path()).is_empty(), "nothing is written before the shard is whole");
    }
    assert!(n_rows > record::container::ROW_GROUP_ROWS, "{n_rows}");
    let closed = writer.close("shards/a-1.parquet.sealed").unwrap();
    let files = files(dir.path());
    assert_eq!(files.len(), 1, "one file, the sealed one");
    let sealed = &files[0];
    assert_eq!(closed.manifest.seal, Seal::SealedBox);
    assert_eq!(closed.manifest.bytes, sealed.len() as u64);
    assert_eq!(closed.manifest.digest, blake3_hex(sealed));
    assert!(sealed.starts_with(MAGIC));
    let plain = IDENTITY.open("a-1", sealed).unwrap();
    for part in [b"PAR1".as_slice(), b"muster.shard", b"belief_seed", CHECKPOINT.as_bytes()] {
        assert!(contains(&plain, part), "the control: {:?}", String::from_utf8_lossy(part));
        assert!(!contains(sealed, part), "{:?}", String::from_utf8_lossy(part));
    }
}

fn blake3_hex(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

fn small() -> (ShardManifest, Vec<u8>) {
    let mut record = play(rules(), params(), 47).record;
    record.plies.truncate(6);
    let mut stored = Stored::default();
    stored.put_audit("a-1", &[record]);
    (stored.shards.audit.remove(0), stored.files.remove("a-1").unwrap())
}

#[test]
fn another_key_does_not_open_it() {
    let (manifest, sealed) = small();
    let fingerprint = rules().fingerprint();
    read_audit_of(&manifest, &sealed, &IDENTITY, fingerprint).unwrap();
    let other = Identity::generate();
    let error = read_audit_of(&manifest, &sealed, &other, fingerprint).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("a-1") && text.contains("another key") && text.contains("--key"),
        "{text}"
    );
    // Nor does naming another recipient in the file.
    let mut renamed = sealed.clone();
    let at = MAGIC.len();
    renamed[at..at + 32].copy_from_slice(&sealed_for(&other)[at..at + 32]);
    let error = read_audit("a-1", &renamed, &other, fingerprint).unwrap_err();
    assert!(matches!(error, ReadError::Sealed { .. }), "{error}");
}

fn sealed_for(identity: &Identity) -> Vec<u8> {
    identity.recipient().seal("x", b"x").unwrap()
}

#[test]
fn sealing_twice_gives_other_bytes() {
    assert_ne!(sealed_for(&IDENTITY), sealed_for(&IDENTITY));
}

#[test]
fn every_cut_and_every_flipped_bit_is_found() {
    let (manifest, sealed) = small();
    let fingerprint = rules().fingerprint();
    let refused = |bytes: &[u8], place: usize| {
        match read_audit("a-1", bytes, &IDENTITY, fingerprint) {
            Err(ReadError::Sealed { shard, .. }) => assert_eq!(shard, "a-1"),
            other => panic!("{place}: {other:?}"),
        }
        let error = read_audit_of(&manifest, bytes, &IDENTITY, fingerprint).unwrap_err();
        assert!(matches!(error, ReadError::Digest { .. }), "{place}: {error}");
    };
    for len in 0..sealed.len() {
        refused(&sealed[..len], len);
    }
    for at in 0..sealed.len() {
        let mut broken = sealed.clone();
        broken[at] ^= 1 << (at % 8);
        refused(&broken, at);
    }
    refused(&[&sealed[..], b"x"].concat(), sealed.len());
}

#[test]
fn a_plain_or_unmarked_audit_shard_is_refused() {
    let (manifest, sealed) = small();
    let plain = IDENTITY.open("a-1", &sealed).unwrap();
    let error = read_audit("a-1", &plain, &IDENTITY, rules().fingerprint()).unwrap_err();
    assert!(error.to_string().contains("no sealed file"), "{error}");
    let text = manifest.to_json();
    assert!(text.contains(r#""seal":"sealed-box""#), "{text}");
    let unmarked = text.replace(r#""seal":"sealed-box","#, "");
    let error = ShardManifest::from_json(&unmarked).unwrap_err();
    assert!(error.to_string().contains("is sealed"), "{error}");
}

#[test]
fn keys_read_back_and_broken_key_files_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("audit.key");
    let digits = "0102".repeat(16);
    let secret = format!("x25519-secret:{digits}");
    let read = |text: &[u8]| {
        std::fs::write(&path, text).unwrap();
        Identity::read(&path)
    };
    let identity = read(format!("# a comment\n\n{secret}\n").as_bytes()).unwrap();
    let recipient = identity.recipient();
    assert_eq!(recipient.to_string().parse::<Recipient>().unwrap(), recipient);
    assert!(!format!("{identity:?}").contains(&digits));
    Identity::read_for(&path, &recipient).unwrap();
    let other = Identity::generate().recipient();
    let error = Identity::read_for(&path, &other).unwrap_err();
    let text = error.to_string();
    assert!(text.contains(&other.to_string()) && text.contains("--key"), "{text}");

    let cut = &secret[..secret.len() - 1];
    let broken = [
        b"".to_vec(),
        b"# nothing\n".to_vec(),
        cut.into(),
        format!("{cut}g").into(),
        format!("{secret}\n{secret}\n").into(),
        recipient.to_string().into(),
        vec![0xff; 70],
        vec![b'#'; 100_000],
    ];
    for text in broken {
        let error = read(&text).unwrap_err();
        assert!(matches!(error, KeyError::Format { .. }), "{error}");
        assert!(!error.to_string().contains(&digits[..40]), "key material is printed: {error}");
    }
    std::fs::remove_file(&path).unwrap();
    let error = Identity::read(&path).unwrap_err();
    assert!(error.to_string().contains("--key FILE"), "{error}");
    for text in ["", "x25519:", "x25519:00", &secret, &format!("x25519:{}", "00".repeat(32))] {
        assert!(text.parse::<Recipient>().is_err(), "{text}");
    }
}
