//! Shards uploaded through the coordinator, for workers that share no store with it. The file is complete and has the
//! digest it was announced with before the store sees it.

use crate::convert;
use crate::core::{Answer, Input, is_digest, is_relative_path};
use crate::keeper::Keeper;
use crate::objects::Objects;
use proto::limits::{CHUNK_BYTES_MAX, SHARD_BYTES_MAX};
use proto::v1::shard_chunk::Part;
use proto::{Code, WireError, v1};
use run::Store;
use run::store::{Put, StoreError};
use std::io::Write;
use tonic::Streaming;

pub async fn receive(
    mut parts: Streaming<v1::ShardChunk>,
    keeper: &Keeper,
    objects: &Objects,
) -> Result<v1::PutShardResponse, WireError> {
    let refuse = |text: String| Err(WireError::about(Code::FailedPrecondition, "upload", text));
    let Some(Part::Header(header)) = next(&mut parts).await? else {
        return refuse("an upload begins with its header".to_owned());
    };
    let (store, key) = place(&header, objects)?;
    if !is_digest(&header.digest) || header.bytes == 0 || header.bytes > SHARD_BYTES_MAX {
        return refuse(format!("a shard of {} bytes, digest {:?}", header.bytes, header.digest));
    }
    expect_lease(&header, keeper).await?;
    let mut file = tempfile::NamedTempFile::new().map_err(|error| disk(&error))?;
    let mut hasher = blake3::Hasher::new();
    let mut received = 0;
    while let Some(part) = next(&mut parts).await? {
        let Part::Chunk(chunk) = part else {
            return refuse("an upload has one header".to_owned());
        };
        received += chunk.data.len() as u64;
        if chunk.data.len() > CHUNK_BYTES_MAX || received > header.bytes {
            return refuse(format!("more than {} bytes or too large a chunk", header.bytes));
        }
        if !proto::is_intact(&chunk) {
            let text = format!("the chunk that ends at byte {received} arrived damaged");
            return Err(WireError::about(Code::Busy, "upload", text));
        }
        hasher.update(&chunk.data);
        file.write_all(&chunk.data).map_err(|error| disk(&error))?;
    }
    let digest = hasher.finalize().to_hex();
    if received != header.bytes || digest.as_str() != header.digest {
        return refuse(format!("{received} bytes of digest {digest}, announced was another shard"));
    }
    match store.put_file(&key, file.path()).await {
        Ok(put) => Ok(v1::PutShardResponse { repeated: put == Put::WasThere }),
        Err(error @ StoreError::Conflict { .. }) => refuse(error.to_string()),
        Err(error) => Err(WireError::about(Code::Busy, "store", error)),
    }
}

/// The store and the key in it that the header's path stands for.
fn place(header: &v1::ShardHeader, objects: &Objects) -> Result<(Store, String), WireError> {
    let split = header.path.split_once('/').filter(|(_, key)| is_relative_path(key));
    match split {
        Some(("training", key)) => Ok((objects.training.clone(), key.to_owned())),
        Some(("audit", key)) => Ok((objects.audit.clone(), key.to_owned())),
        _ => {
            let text = format!("path {:?} is not training/… or audit/…", header.path);
            Err(WireError::about(Code::FailedPrecondition, "path", text))
        }
    }
}

/// Only the holder of a lease may fill the store.
async fn expect_lease(header: &v1::ShardHeader, keeper: &Keeper) -> Result<(), WireError> {
    let worker = convert::worker_id(header.worker.clone())?;
    let lease = convert::lease_key(header.lease)?;
    match keeper.step(Input::Renew { worker, lease, progress: 0, games_done: 0 }).await? {
        Answer::Renewed { .. } => Ok(()),
        _ => Err(WireError::new(Code::LeaseLost, "the lease is not held")),
    }
}

async fn next(parts: &mut Streaming<v1::ShardChunk>) -> Result<Option<Part>, WireError> {
    let message = parts.message().await.map_err(WireError::from)?;
    Ok(message.and_then(|message| message.part))
}

fn disk(error: &std::io::Error) -> WireError {
    WireError::about(Code::Busy, "upload", format!("temporary file: {error}"))
}
