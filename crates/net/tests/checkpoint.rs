//! Proves that a checkpoint reads back to the same bits, that training resumed from it goes on as if it had not
//! stopped, and that nothing damaged or foreign is ever loaded.

use net::{
    AdamW, AdamWParams, Architecture, Checkpoint, CheckpointError, CheckpointFacts, Network,
    NetworkShape, WindowSummary, use_one_thread,
};
use std::path::{Path, PathBuf};
use tch::{Device, Kind, Tensor};

const TEXT: &str = "rules one\nfeatures one\n";

fn shape() -> NetworkShape {
    NetworkShape {
        height: 3,
        width: 3,
        feature_planes: 2,
        feature_globals: 2,
        policy_planes: 2,
        policy_flat: 1,
        board: ".#######.".to_owned(),
    }
}

fn facts(step: u64) -> CheckpointFacts {
    CheckpointFacts {
        run: "test".to_owned(),
        step,
        generation: 1,
        parent: Some("test-s000000-0123456789ab".to_owned()),
        game: "fake".to_owned(),
        fingerprint_text: TEXT.to_owned(),
        numerics: "none".to_owned(),
        window: WindowSummary { shards: 1, rows: 2, games: 1, held_out_rows: 0, last_sequence: 1 },
        seed: Some(7),
    }
}

fn train(network: &mut Network, optimizer: &mut AdamW, steps: std::ops::Range<i64>) {
    use_one_thread();
    network.set_trainable(true);
    for step in steps {
        let rows = Tensor::arange(40, (Kind::Float, Device::Cpu)).reshape([2, 20]);
        let output = network.forward(&(rows + step).sin());
        let loss = output.logits.square().sum(Kind::Float)
            + (output.value - 0.5).square().sum(Kind::Float);
        loss.backward();
        optimizer.update(network.parameters());
    }
    network.set_trainable(false);
}

fn trained(architecture: Architecture) -> (Network, AdamW) {
    let mut network = Network::random(architecture, shape(), 7).unwrap();
    let mut optimizer = AdamW::new(AdamWParams::default(), network.parameters());
    train(&mut network, &mut optimizer, 0..5);
    (network, optimizer)
}

const RESIDUAL: Architecture = Architecture::Residual { blocks: 1, channels: 4, value_hidden: 8 };

fn save(parent: &Path) -> PathBuf {
    let (network, optimizer) = trained(RESIDUAL);
    let extra = vec![("note.txt", b"beside the weights".to_vec())];
    let name = |digest: &str| {
        let id = format!("test-{}", &digest[..8]);
        (id.clone(), parent.join(id))
    };
    Checkpoint::save(&network, Some(&optimizer), facts(5), extra, name).unwrap().folder
}

#[test]
fn resumed_training_gives_the_same_bits() {
    for architecture in [RESIDUAL, Architecture::Mlp { hidden: 8 }] {
        let place = tempfile::tempdir().unwrap();
        let (mut network, mut optimizer) = trained(architecture);
        let folder = place.path().join("some/where");
        let name = |digest: &str| (digest.to_owned(), folder.clone());
        let saved =
            Checkpoint::save(&network, Some(&optimizer), facts(5), Vec::new(), name).unwrap();
        train(&mut network, &mut optimizer, 5..10);

        let read = Checkpoint::load(&folder, Some(TEXT)).unwrap();
        assert_eq!(read.header, saved.header);
        assert_eq!(read.header.facts, facts(5));
        let mut resumed_optimizer = read.load_optimizer().unwrap().unwrap();
        assert_eq!(resumed_optimizer.step_count(), 5);
        let mut resumed = read.network;
        train(&mut resumed, &mut resumed_optimizer, 5..10);
        assert_eq!(resumed.values(), network.values());
    }
}

#[test]
fn a_checkpoint_never_changes() {
    let place = tempfile::tempdir().unwrap();
    let (network, optimizer) = trained(RESIDUAL);
    let save = |network: &Network| {
        let name = |_: &str| ("id".to_owned(), place.path().join("id"));
        Checkpoint::save(network, Some(&optimizer), facts(5), Vec::new(), name)
    };
    let first = save(&network).unwrap().header;
    assert_eq!(save(&network).unwrap().header, first, "the same again changes nothing");
    let other = Network::random(RESIDUAL, shape(), 8).unwrap();
    assert!(matches!(save(&other), Err(CheckpointError::Exists { .. })));
    let entries: Vec<_> = std::fs::read_dir(place.path()).unwrap().collect();
    assert_eq!(entries.len(), 1, "nothing half-written stays: {entries:?}");
}

#[test]
fn weights_that_are_not_finite_are_not_kept() {
    let place = tempfile::tempdir().unwrap();
    let network = Network::random(RESIDUAL, shape(), 8).unwrap();
    let _ = network.parameters()[0].shallow_clone().fill_(f64::NAN);
    let name = |_: &str| ("id".to_owned(), place.path().join("id"));
    let result = Checkpoint::save(&network, None, facts(0), Vec::new(), name);
    assert!(matches!(result, Err(CheckpointError::NotFinite { .. })));
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn another_fingerprint_is_refused_with_both_texts() {
    let place = tempfile::tempdir().unwrap();
    let folder = save(place.path());
    let error = Checkpoint::load(&folder, Some("rules two\n")).err().unwrap().to_string();
    assert!(error.contains("features one") && error.contains("rules two"), "{error}");
    assert!(Checkpoint::load(&folder, None).is_ok());
}

#[test]
fn every_truncation_and_every_flipped_byte_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let folder = save(place.path());
    for file in ["weights.safetensors", "optimizer.safetensors", "checkpoint.toml"] {
        let path = folder.join(file);
        let good = std::fs::read(&path).unwrap();
        let load = || {
            Checkpoint::load(&folder, Some(TEXT))
                .and_then(|checkpoint| checkpoint.load_optimizer())
                .map(|_| ())
        };
        for len in (0..good.len()).step_by(good.len() / 40 + 1) {
            std::fs::write(&path, &good[..len]).unwrap();
            // A header cut after its last needed line is whole; any other cut is not.
            let lost = good.len() - len;
            assert!(
                load().is_err() || lost < 200 && file == "checkpoint.toml",
                "{file} cut at {len}"
            );
        }
        if file != "checkpoint.toml" {
            for at in (0..good.len()).step_by(good.len() / 40 + 1) {
                let mut bad = good.clone();
                bad[at] ^= 0x10;
                std::fs::write(&path, &bad).unwrap();
                assert!(matches!(load(), Err(CheckpointError::Digest { .. })), "{file} byte {at}");
            }
        }
        std::fs::remove_file(&path).unwrap();
        let error = load().unwrap_err().to_string();
        assert!(error.contains(file), "{error}");
        std::fs::write(&path, &good).unwrap();
        load().unwrap();
    }
}

/// The digest is made right again, so that only the check of names, sizes and kinds can catch it.
#[test]
fn tensors_of_another_network_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let folder = save(place.path());
    let header = folder.join("checkpoint.toml");
    let good = std::fs::read_to_string(&header).unwrap();
    for (from, to) in [
        ("channels = 4", "channels = 5"),
        ("blocks = 1", "blocks = 2"),
        ("blocks = 1", "blocks = 0"),
        ("blocks = 1", "blocks = 4000000000"),
        ("policy_flat = 1", "policy_flat = 3"),
        ("format = 1", "format = 2"),
        ("rules one", "rules 1"),
        ("kind = \"residual\"", "kind = \"transformer\""),
    ] {
        assert!(good.contains(from), "{from} in {good}");
        std::fs::write(&header, good.replacen(from, to, 1)).unwrap();
        let error = Checkpoint::load(&folder, None).err().map(|error| error.to_string());
        let error = error.unwrap_or_else(|| panic!("{to} was loaded"));
        assert!(error.contains(folder.to_str().unwrap()), "{error}");
    }
    std::fs::write(&header, good).unwrap();
    Checkpoint::load(&folder, None).unwrap();
}
