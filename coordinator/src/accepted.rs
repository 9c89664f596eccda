//! `accepted.jsonl`: the manifests of accepted shards, one a line, in the order of acceptance; for training those of the
//! window. It is written after the commit and made right again at every start, so that the store is the only truth.

use crate::store::{Kind, Store, StoreError};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum AcceptedError {
    #[error("{path}: {source}; free some space or fix the folder's permissions, then start again")]
    Io { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// One list, open for appending.
#[derive(Debug)]
pub struct AcceptedList {
    path: PathBuf,
    file: File,
}

/// Manifests read from the store at a time.
const PAGE: usize = 1024;

impl AcceptedList {
    /// Makes the file hold exactly what the store holds up to a sequence number, and opens it. A file that is only behind is continued, so
    /// that readers keep their place; any other is replaced.
    pub fn rebuild(
        path: &Path,
        kind: Kind,
        through: u64,
        store: &mut dyn Store,
    ) -> Result<AcceptedList, AcceptedError> {
        let expected = text_of(kind, through, store)?;
        let at_path = |source| AcceptedError::Io { path: path.to_owned(), source };
        let found = match std::fs::read(path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(at_path(error)),
        };
        if !expected.as_bytes().starts_with(&found) {
            tracing::warn!(path = %path.display(), "list of accepted shards was wrong, replaced");
            run::files::write_atomic(path, expected.as_bytes()).map_err(at_path)?;
        }
        let open = || OpenOptions::new().append(true).create(true).open(path);
        let mut list = AcceptedList { path: path.to_owned(), file: open().map_err(at_path)? };
        if let Some(rest) = expected.as_bytes().strip_prefix(found.as_slice()) {
            list.write(rest)?;
        }
        Ok(list)
    }

    /// Adds manifests, which are one line each, and makes them durable.
    pub fn append(&mut self, manifests: &[&str]) -> Result<(), AcceptedError> {
        let mut lines = String::new();
        for manifest in manifests {
            lines.push_str(manifest);
            lines.push('\n');
        }
        self.write(lines.as_bytes())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), AcceptedError> {
        if bytes.is_empty() {
            return Ok(());
        }
        let mut write = || {
            self.file.write_all(bytes)?;
            self.file.sync_data()
        };
        write().map_err(|source| AcceptedError::Io { path: self.path.clone(), source })
    }
}

fn text_of(kind: Kind, through: u64, store: &mut dyn Store) -> Result<String, StoreError> {
    let mut text = String::new();
    let mut next = 1;
    loop {
        let page = store.manifests(kind, next, PAGE)?;
        let Some((last, _)) = page.last().filter(|_| next <= through) else { return Ok(text) };
        next = last + 1;
        for (_, manifest) in page.iter().filter(|(sequence, _)| *sequence <= through) {
            text.push_str(manifest);
            text.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    //! Proves that whatever became of the file, a start makes it what the store says, and that a file that is only
    //! behind is continued in place.
    use super::*;
    use crate::core::Input;
    use crate::fixture::{commit, config, core, leased};
    use crate::store::MemoryStore;
    use std::os::unix::fs::MetadataExt;

    fn store_of(n: u64) -> MemoryStore {
        let mut store = MemoryStore::default();
        let mut core = core(config());
        for request in 1..=n {
            let granted = leased(&mut core, 0, "a", request);
            let effects = core.step(0, Input::Commit(commit(&granted, 4)));
            store.apply(&effects.changes).unwrap();
        }
        store
    }

    #[test]
    fn a_start_makes_the_list_right() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("accepted.jsonl");
        let mut store = store_of(3);
        let right = text_of(Kind::Training, 3, &mut store).unwrap();
        assert_eq!(right.lines().count(), 3);
        let torn = &right[..right.len() - 20];
        for (found, is_continued) in [
            ("", true),
            (torn, true),
            (right.as_str(), true),
            ("{\"another\": \"run\"}\n", false),
            (&format!("{right}{{\"never\": \"accepted\"}}\n"), false),
        ] {
            std::fs::write(&path, found).unwrap();
            let inode = std::fs::metadata(&path).unwrap().ino();
            AcceptedList::rebuild(&path, Kind::Training, 3, &mut store).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), right);
            assert_eq!(std::fs::metadata(&path).unwrap().ino() == inode, is_continued, "{found}");
        }
        std::fs::remove_file(&path).unwrap();
        AcceptedList::rebuild(&path, Kind::Training, 2, &mut store).unwrap();
        let n_lines = std::fs::read_to_string(&path).unwrap().lines().count();
        assert_eq!(n_lines, 2, "the third shard is not in the window");
        let mut list = AcceptedList::rebuild(&path, Kind::Training, 3, &mut store).unwrap();
        list.append(&["{}"]).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{right}{{}}\n"));
    }
}
