//! Shards uploaded through the coordinator: whole or not at all, only by the holder of a lease.

use crate::support::{
    Run, Running, audit_bytes, commit_request, lease_of, manifests, training_bytes,
};
use proto::limits::CHUNK_BYTES_MAX;
use proto::v1::{self, shard_chunk::Part};
use proto::{Code, WireError};

fn header(job: &v1::Job, path: &str, bytes: &[u8]) -> v1::ShardHeader {
    v1::ShardHeader {
        worker: "far".to_owned(),
        lease: Some(lease_of(job)),
        path: path.to_owned(),
        bytes: bytes.len() as u64,
        digest: blake3::hash(bytes).to_hex().to_string(),
    }
}

fn chunks(bytes: &[u8]) -> Vec<v1::Chunk> {
    bytes.chunks(CHUNK_BYTES_MAX).map(|piece| proto::chunk(piece.to_vec())).collect()
}

async fn put(
    running: &mut Running,
    header: v1::ShardHeader,
    chunks: Vec<v1::Chunk>,
) -> Result<bool, WireError> {
    let parts = std::iter::once(Part::Header(header)).chain(chunks.into_iter().map(Part::Chunk));
    let messages: Vec<_> = parts.map(|part| v1::ShardChunk { part: Some(part) }).collect();
    Ok(running.client.put_shard(tokio_stream::iter(messages)).await?.into_inner().repeated)
}

#[tokio::test]
async fn a_far_worker_hands_in_its_games() {
    let run = Run::create();
    let mut running = run.start().await;
    running.register(&run.checkpoint(0)).await.unwrap();
    let job = running.job("far", 1).await;
    let (training, audit) = manifests(&job);
    for (root, key, bytes) in [
        ("training", &training.key, training_bytes(&job)),
        ("audit", &audit.key, audit_bytes(&job)),
    ] {
        let header = header(&job, &format!("{root}/{key}"), &bytes);
        assert!(!put(&mut running, header.clone(), chunks(&bytes)).await.unwrap());
        assert!(put(&mut running, header, chunks(&bytes)).await.unwrap());
    }
    let commit = commit_request("far", &job, &training, &audit);
    assert_eq!(running.commit(&commit).await, Ok((1, false)));
    running.end().await;
}

#[tokio::test]
async fn a_torn_damaged_or_foreign_upload_leaves_nothing() {
    let run = Run::create();
    let mut running = run.start().await;
    running.register(&run.checkpoint(0)).await.unwrap();
    let job = running.job("far", 1).await;
    let bytes: Vec<u8> = (0..CHUNK_BYTES_MAX + 77).map(|it| (it * 31 % 251) as u8).collect();
    let good = header(&job, "training/shards/x.parquet", &bytes);

    let torn = put(&mut running, good.clone(), chunks(&bytes[..bytes.len() - 1])).await;
    assert_eq!(torn.unwrap_err().code, Code::FailedPrecondition);
    let mut damaged = chunks(&bytes);
    damaged[1].data[5] ^= 1;
    assert!(put(&mut running, good.clone(), damaged).await.unwrap_err().is_transient());
    let oversized = vec![proto::chunk(bytes.clone())];
    assert!(put(&mut running, good.clone(), oversized).await.is_err());
    for path in ["elsewhere/x", "training/../run.toml", "training/.hidden", "training"] {
        let header = v1::ShardHeader { path: path.to_owned(), ..good.clone() };
        assert!(put(&mut running, header, chunks(&bytes)).await.is_err(), "{path}");
    }
    let stolen = v1::ShardHeader { worker: "thief".to_owned(), ..good.clone() };
    let error = put(&mut running, stolen, chunks(&bytes)).await.unwrap_err();
    assert_eq!(error.code, Code::LeaseLost);
    let path = run.folder.training_dir().join("shards/x.parquet");
    assert!(!path.exists());

    assert!(!put(&mut running, good.clone(), chunks(&bytes)).await.unwrap());
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    let other = b"other rows".to_vec();
    let replace = header(&job, "training/shards/x.parquet", &other);
    assert!(put(&mut running, replace, chunks(&other)).await.is_err());
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    running.end().await;
}
