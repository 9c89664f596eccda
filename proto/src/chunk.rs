//! Pieces of an uploaded shard, each with a checksum of its own.

use crate::v1::Chunk;

/// A piece as it is sent; at most [`crate::limits::CHUNK_BYTES_MAX`] bytes.
pub fn chunk(data: Vec<u8>) -> Chunk {
    Chunk { crc32: crc32fast::hash(&data), data }
}

/// Whether a piece arrived as it was sent.
pub fn is_intact(chunk: &Chunk) -> bool {
    crc32fast::hash(&chunk.data) == chunk.crc32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_shows() {
        let mut piece = chunk(b"some rows".to_vec());
        assert!(is_intact(&piece));
        piece.data[3] ^= 1;
        assert!(!is_intact(&piece));
    }
}
