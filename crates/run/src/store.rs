//! Where shards lie, and the one way to put them there: a closed local file becomes an object that did not exist
//! before, durable when the call returns. An object is never changed.

use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One root (training or audit) of a run.
#[derive(Clone, Debug)]
pub struct Store {
    objects: Arc<dyn ObjectStore>,
    /// The folder behind a local store.
    local: Option<PathBuf>,
    name: String,
}

/// How a put ended well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Put {
    Created,
    /// The same bytes were there already: a repeated upload.
    WasThere,
}

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("store {0:?}: give a file:///… URL or a folder; other kinds of store are not built in")]
    UnknownKind(String),
    #[error("store {store}: object {key} exists with other bytes; objects are never replaced")]
    Conflict { store: String, key: String },
    #[error("store {store}: no object {key}")]
    Absent { store: String, key: String },
    #[error("{path}: {source}")]
    File { path: PathBuf, source: std::io::Error },
    #[error("store {store}: {key}: {source}")]
    Object { store: String, key: String, source: object_store::Error },
}

impl Store {
    /// Opens a `file:///…` URL, or `default_folder` when no URL is given. The folder is created if need be.
    pub fn open(url: Option<&str>, default_folder: &Path) -> Result<Store, StoreError> {
        let folder = match url {
            None => default_folder.to_owned(),
            Some(url) => match url.strip_prefix("file://") {
                Some(path) if path.starts_with('/') => PathBuf::from(path),
                _ => return Err(StoreError::UnknownKind(url.to_owned())),
            },
        };
        let file_error = |source| StoreError::File { path: folder.clone(), source };
        std::fs::create_dir_all(&folder).map_err(file_error)?;
        let folder = std::fs::canonicalize(&folder).map_err(file_error)?;
        let name = folder.display().to_string();
        let objects = LocalFileSystem::new_with_prefix(&folder)
            .map_err(|source| StoreError::Object {
                store: name.clone(),
                key: String::new(),
                source,
            })?
            .with_fsync(true);
        Ok(Store { objects: Arc::new(objects), local: Some(folder), name })
    }

    /// Puts a closed local file under `key`, which must not exist, and makes it durable. Repeating the call with
    /// the same bytes is fine; other bytes are refused.
    pub async fn put_file(&self, key: &str, file: &Path) -> Result<Put, StoreError> {
        let bytes = std::fs::read(file)
            .map_err(|source| StoreError::File { path: file.to_owned(), source })?;
        self.put(key, bytes).await
    }

    /// As [`Store::put_file`], from memory.
    pub async fn put(&self, key: &str, bytes: Vec<u8>) -> Result<Put, StoreError> {
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        let payload = PutPayload::from(bytes);
        match self.objects.put_opts(&Key::from(key), payload.clone(), options).await {
            Ok(_) => Ok(Put::Created),
            Err(object_store::Error::AlreadyExists { .. }) => {
                let there = self.get(key).await?;
                let given: Vec<u8> = payload.iter().flat_map(|part| part.iter().copied()).collect();
                if there == given {
                    return Ok(Put::WasThere);
                }
                Err(StoreError::Conflict { store: self.name.clone(), key: key.to_owned() })
            }
            Err(source) => Err(self.error(key, source)),
        }
    }

    /// All bytes of an object.
    pub async fn get(&self, key: &str) -> Result<Vec<u8>, StoreError> {
        let read = async { self.objects.get(&Key::from(key)).await?.bytes().await };
        read.await.map(|bytes| bytes.to_vec()).map_err(|source| self.error(key, source))
    }

    /// Bytes of an object, `None` where there is none.
    pub async fn len(&self, key: &str) -> Result<Option<u64>, StoreError> {
        match self.objects.head(&Key::from(key)).await {
            Ok(meta) => Ok(Some(meta.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(source) => Err(self.error(key, source)),
        }
    }

    /// The file behind an object of a local store, for readers that want to read parts of it.
    pub fn local_file(&self, key: &str) -> Option<PathBuf> {
        self.local.as_ref().map(|folder| folder.join(key))
    }

    /// Proves that the store refuses to replace an object, by trying. Called once at start.
    pub async fn probe(&self) -> Result<(), StoreError> {
        let key = format!(".probe-{}", std::process::id());
        let first = self.put(&key, b"1".to_vec()).await;
        let second = self.put(&key, b"2".to_vec()).await;
        let cleaned = self.objects.delete(&Key::from(key.as_str())).await;
        first?;
        match second {
            Err(StoreError::Conflict { .. }) => {}
            _ => return Err(StoreError::Conflict { store: self.name.clone(), key }),
        }
        cleaned.map_err(|source| self.error(&key, source))
    }

    /// What errors call this store.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn error(&self, key: &str, source: object_store::Error) -> StoreError {
        let (store, key) = (self.name.clone(), key.to_owned());
        match source {
            object_store::Error::NotFound { .. } => StoreError::Absent { store, key },
            source => StoreError::Object { store, key, source },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_object_is_written_once_and_a_repeat_is_harmless() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(None, &dir.path().join("training")).unwrap();
        store.probe().await.unwrap();
        assert_eq!(store.put("a/b.parquet", b"rows".to_vec()).await.unwrap(), Put::Created);
        assert_eq!(store.put("a/b.parquet", b"rows".to_vec()).await.unwrap(), Put::WasThere);
        let other = store.put("a/b.parquet", b"else".to_vec()).await;
        assert!(matches!(other, Err(StoreError::Conflict { .. })), "{other:?}");
        assert_eq!(store.get("a/b.parquet").await.unwrap(), b"rows");
        assert_eq!(store.len("a/b.parquet").await.unwrap(), Some(4));
        assert_eq!(store.len("a/c.parquet").await.unwrap(), None);
        let absent = store.get("a/c.parquet").await;
        assert!(matches!(absent, Err(StoreError::Absent { .. })), "{absent:?}");
        assert_eq!(std::fs::read(store.local_file("a/b.parquet").unwrap()).unwrap(), b"rows");
    }

    #[test]
    fn only_local_urls_open() {
        let dir = tempfile::tempdir().unwrap();
        let url = format!("file://{}", dir.path().join("x").display());
        assert!(Store::open(Some(&url), Path::new("unused")).is_ok());
        let error = Store::open(Some("s3://bucket"), dir.path()).unwrap_err();
        assert!(error.to_string().contains("s3://bucket"), "{error}");
    }
}
