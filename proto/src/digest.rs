//! What makes two commits the same.

/// blake3 over both manifests, each preceded by its length, as 64 hexadecimal digits.
pub fn commit_digest(training_manifest: &str, audit_manifest: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    for manifest in [training_manifest, audit_manifest] {
        hasher.update(&(manifest.len() as u64).to_le_bytes());
        hasher.update(manifest.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_border_between_manifests_counts() {
        assert_ne!(commit_digest("ab", "c"), commit_digest("a", "bc"));
        assert_eq!(commit_digest("ab", "c"), commit_digest("ab", "c"));
    }
}
