//! The file layer both records share: a Parquet file is written to a local temporary name (or to memory, where
//! its plaintext must not reach a disk), closed, read back, digested and only then described by a manifest. Reading
//! trusts nothing that the bytes say.

use crate::manifest::{ShardHeader, ShardKind, ShardManifest};
use crate::row::RowFault;
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use bytes::Bytes;
use game::Fingerprint;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use std::cell::Cell;
use std::fs::File;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::{Path, PathBuf};
use std::sync::Once;
use tempfile::{NamedTempFile, TempPath};

/// Rows to a row group: what a writer keeps in memory.
pub const ROW_GROUP_ROWS: usize = 16_384;
/// The largest file a reader takes.
pub const SHARD_BYTES_MAX: usize = 256 << 20;
/// The most a reader unpacks a file to.
pub const SHARD_UNPACKED_MAX: i64 = 4 << 30;

/// A closed shard in a local temporary file, described; the file goes when this is dropped.
#[derive(Debug)]
pub struct ClosedShard {
    pub path: TempPath,
    pub manifest: ShardManifest,
}

/// Why a shard could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("shard file in {dir}: {error}")]
    Io { dir: PathBuf, error: std::io::Error },
    #[error("shard {shard} does not encode: {reason}")]
    Encode { shard: String, reason: String },
    #[error("shard {shard}: game {game} ply {ply}: {fault}")]
    Row { shard: String, game: String, ply: u32, fault: RowFault },
    #[error("shard {shard} has no rows")]
    Empty { shard: String },
    #[error("shard {shard} does not read back: {error}")]
    ReadBack { shard: String, error: Box<ReadError> },
    #[error("shard {shard} cannot be sealed: {reason}")]
    Seal { shard: String, reason: String },
}

/// Why a shard is refused.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("shard file {path}: {error}")]
    Io { path: PathBuf, error: std::io::Error },
    #[error(
        "shard {shard} digest mismatch: expected {expected}, found {found}; the file is damaged or was changed"
    )]
    Digest { shard: String, expected: String, found: String },
    #[error("shard {shard} does not decode: {reason}; the file is truncated or damaged")]
    Unreadable { shard: String, reason: String },
    #[error("sealed shard {shard} does not open: {reason}")]
    Sealed { shard: String, reason: String },
    #[error("shard {shard} has schema {found}, expected {expected}")]
    Schema { shard: String, expected: String, found: String },
    #[error(
        "shard {shard} was made with fingerprint {found}, expected {expected}; rules, features or action table differ"
    )]
    Fingerprint { shard: String, expected: Fingerprint, found: Fingerprint },
    #[error(
        "shard {shard} contradicts its manifest: {field} is {found}, the manifest says {expected}"
    )]
    Manifest { shard: String, field: &'static str, expected: String, found: String },
    #[error("shard {shard} row {row} column {column}: {reason}")]
    Value { shard: String, row: u64, column: &'static str, reason: String },
}

/// Properties both records start from: zstd 3, no statistics, no indexes. A schema adds its encodings.
pub fn base_properties() -> WriterPropertiesBuilder {
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3).unwrap_or_default()))
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true)
        .set_write_path_in_schema(true)
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
}

/// A shard being written.
pub struct ShardFile {
    dir: PathBuf,
    shard: String,
    file: NamedTempFile,
    writer: ArrowWriter<File>,
}

impl ShardFile {
    /// Begins a file in the local folder `dir`, which exists.
    pub fn create(
        dir: &Path,
        shard: &str,
        schema: SchemaRef,
        properties: WriterProperties,
    ) -> Result<ShardFile, WriteError> {
        let io = |error| WriteError::Io { dir: dir.to_owned(), error };
        let file = temporary(dir, ".parquet.tmp").map_err(io)?;
        let handle = file.reopen().map_err(io)?;
        let writer = arrow_writer(shard, handle, schema, properties)?;
        Ok(ShardFile { dir: dir.to_owned(), shard: shard.to_owned(), file, writer })
    }

    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), WriteError> {
        self.writer.write(batch).map_err(|error| encode(&self.shard, &error))
    }

    /// Writes the footer, reads the closed file back and digests it. `key` is where it will lie in its root.
    pub fn close(mut self, header: ShardHeader, key: &str) -> Result<ClosedShard, WriteError> {
        add_header(&mut self.writer, &header)?;
        self.writer.close().map_err(|error| encode(&self.shard, &error))?;
        let path = self.file.into_temp_path();
        let read_back =
            |error| WriteError::ReadBack { shard: self.shard.clone(), error: Box::new(error) };
        let bytes = std::fs::read(&path)
            .map_err(|error| WriteError::Io { dir: self.dir.clone(), error })?;
        let digest = blake3::hash(&bytes).to_hex().to_string();
        let manifest = ShardManifest::new(header, key.to_owned(), digest, bytes.len() as u64);
        let invalid = |error: crate::ManifestError| encode(&self.shard, &error);
        manifest.check().map_err(invalid)?;
        let found = read_header(&self.shard, &Bytes::from(bytes)).map_err(read_back)?;
        check_header(&manifest, &found).map_err(read_back)?;
        Ok(ClosedShard { path, manifest })
    }
}

/// A shard being written to memory.
pub struct ShardBuffer {
    shard: String,
    writer: ArrowWriter<Vec<u8>>,
}

impl ShardBuffer {
    pub fn create(
        shard: &str,
        schema: SchemaRef,
        properties: WriterProperties,
    ) -> Result<ShardBuffer, WriteError> {
        let writer = arrow_writer(shard, Vec::new(), schema, properties)?;
        Ok(ShardBuffer { shard: shard.to_owned(), writer })
    }

    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), WriteError> {
        self.writer.write(batch).map_err(|error| encode(&self.shard, &error))
    }

    /// Writes the footer and reads it back. Gives the whole file.
    pub fn close(mut self, header: &ShardHeader) -> Result<Bytes, WriteError> {
        add_header(&mut self.writer, header)?;
        let bytes = self.writer.into_inner().map_err(|error| encode(&self.shard, &error))?;
        let bytes = Bytes::from(bytes);
        let shard = &self.shard;
        let read_back = |error| WriteError::ReadBack { shard: shard.clone(), error };
        let found = read_header(shard, &bytes).map_err(|error| read_back(Box::new(error)))?;
        compare_headers(shard, header, &found).map_err(|error| read_back(Box::new(error)))?;
        Ok(bytes)
    }
}

/// Puts a finished file's bytes, as they will be kept, into a local temporary file and describes it.
pub fn close_bytes(
    dir: &Path,
    header: ShardHeader,
    key: &str,
    bytes: &[u8],
) -> Result<ClosedShard, WriteError> {
    let io = |error| WriteError::Io { dir: dir.to_owned(), error };
    let shard = header.shard.clone();
    let digest = blake3::hash(bytes).to_hex().to_string();
    let manifest = ShardManifest::new(header, key.to_owned(), digest, bytes.len() as u64);
    manifest.check().map_err(|error| encode(&shard, &error))?;
    let mut file = temporary(dir, ".tmp").map_err(io)?;
    file.write_all(bytes).map_err(io)?;
    Ok(ClosedShard { path: file.into_temp_path(), manifest })
}

fn temporary(dir: &Path, suffix: &str) -> std::io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix("shard-").suffix(suffix).tempfile_in(dir)
}

fn arrow_writer<W: Write + Send>(
    shard: &str,
    to: W,
    schema: SchemaRef,
    properties: WriterProperties,
) -> Result<ArrowWriter<W>, WriteError> {
    let options =
        ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
    ArrowWriter::try_new_with_options(to, schema, options).map_err(|error| encode(shard, &error))
}

/// What the file says of itself. A shard without rows is refused.
fn add_header<W: Write + Send>(
    writer: &mut ArrowWriter<W>,
    header: &ShardHeader,
) -> Result<(), WriteError> {
    if header.rows == 0 {
        return Err(WriteError::Empty { shard: header.shard.clone() });
    }
    let json = serde_json::to_string(header).map_err(|error| encode(&header.shard, &error))?;
    writer.append_key_value_metadata(KeyValue::new(ShardHeader::KEY.to_owned(), json));
    Ok(())
}

fn encode(shard: &str, error: &dyn std::fmt::Display) -> WriteError {
    WriteError::Encode { shard: shard.to_owned(), reason: error.to_string() }
}

/// A decoded file: what it says of itself, and its rows as record batches of the expected schema.
pub struct OpenShard {
    pub header: ShardHeader,
    pub batches: Vec<RecordBatch>,
}

/// Reads a file whole. The size is checked before a byte is read.
pub fn read_file(path: &Path) -> Result<Vec<u8>, ReadError> {
    let io = |error| ReadError::Io { path: path.to_owned(), error };
    let len = std::fs::metadata(path).map_err(io)?.len();
    if len > SHARD_BYTES_MAX as u64 {
        let reason = format!("{len} bytes, at most {SHARD_BYTES_MAX} are read");
        return Err(io(std::io::Error::new(std::io::ErrorKind::InvalidData, reason)));
    }
    std::fs::read(path).map_err(io)
}

/// Compares a file's size and digest with its manifest.
pub fn check_digest(manifest: &ShardManifest, bytes: &[u8]) -> Result<(), ReadError> {
    let found = blake3::hash(bytes).to_hex().to_string();
    if found == manifest.digest && bytes.len() as u64 == manifest.bytes {
        return Ok(());
    }
    let (shard, expected) = (manifest.shard.clone(), manifest.digest.clone());
    Err(ReadError::Digest { shard, expected, found })
}

/// Decodes a file of the given kind and schema. `shard` names it in errors. Damaged bytes are an error, never
/// a panic: one inside the Parquet decoder is caught and becomes one.
pub fn decode(
    shard: &str,
    bytes: &Bytes,
    kind: ShardKind,
    schema_name: &str,
    schema: &SchemaRef,
) -> Result<OpenShard, ReadError> {
    guarded(shard, || {
        let builder = ParquetRecordBatchReaderBuilder::try_new(bytes.clone())
            .map_err(|error| unreadable(shard, &error))?;
        let header = header_of(shard, builder.metadata().file_metadata().key_value_metadata())?;
        if header.kind != kind || header.schema != schema_name {
            return Err(ReadError::Schema {
                shard: shard.to_owned(),
                expected: format!("{kind:?} {schema_name}"),
                found: format!("{:?} {}", header.kind, header.schema),
            });
        }
        if builder.schema().fields() != schema.fields() {
            return Err(ReadError::Schema {
                shard: shard.to_owned(),
                expected: field_list(schema),
                found: field_list(builder.schema()),
            });
        }
        let metadata = builder.metadata().clone();
        let unpacked: i64 = metadata
            .row_groups()
            .iter()
            .map(|group| group.total_byte_size().max(0))
            .fold(0, i64::saturating_add);
        if unpacked > SHARD_UNPACKED_MAX {
            let reason = format!("says it unpacks to {unpacked} bytes");
            return Err(unreadable(shard, &reason));
        }
        let n_rows = u64::try_from(metadata.file_metadata().num_rows()).unwrap_or(u64::MAX);
        if n_rows != header.rows {
            let reason = format!("{n_rows} rows in the footer, {} in the header", header.rows);
            return Err(unreadable(shard, &reason));
        }
        let reader = builder.build().map_err(|error| unreadable(shard, &error))?;
        let batches =
            reader.collect::<Result<Vec<_>, _>>().map_err(|error| unreadable(shard, &error))?;
        let found: u64 = batches.iter().map(|batch| batch.num_rows() as u64).sum();
        if found != header.rows {
            let reason = format!("{found} rows decoded of {}", header.rows);
            return Err(unreadable(shard, &reason));
        }
        Ok(OpenShard { header, batches })
    })
}

/// Reads what a file says of itself: its footer only.
pub fn read_header(shard: &str, bytes: &Bytes) -> Result<ShardHeader, ReadError> {
    guarded(shard, || {
        let builder = ParquetRecordBatchReaderBuilder::try_new(bytes.clone())
            .map_err(|error| unreadable(shard, &error))?;
        header_of(shard, builder.metadata().file_metadata().key_value_metadata())
    })
}

/// Compares what a file says of itself with its manifest; names the first field that differs.
pub fn check_header(manifest: &ShardManifest, found: &ShardHeader) -> Result<(), ReadError> {
    compare_headers(&manifest.shard, &manifest.header(), found)
}

fn compare_headers(
    shard: &str,
    expected: &ShardHeader,
    found: &ShardHeader,
) -> Result<(), ReadError> {
    if expected == found {
        return Ok(());
    }
    let texts = |header: &ShardHeader| {
        [
            ("kind", format!("{:?}", header.kind)),
            ("schema", header.schema.clone()),
            ("shard", header.shard.clone()),
            ("run", header.run.clone()),
            ("job", header.job.clone()),
            ("attempt", header.attempt.to_string()),
            ("epoch", header.epoch.to_string()),
            ("checkpoint", header.checkpoint.clone()),
            ("fingerprint", header.fingerprint.to_string()),
            ("numerics", header.numerics.clone()),
            ("build", header.build.clone()),
            ("created_ms", header.created_ms.to_string()),
            ("rows", header.rows.to_string()),
            ("games", header.games.to_string()),
            ("finished_games", header.finished_games.to_string()),
            ("truncated_games", header.truncated_games.to_string()),
        ]
    };
    let differing = texts(expected).into_iter().zip(texts(found)).find(|(a, b)| a.1 != b.1);
    match differing {
        Some(((field, expected), (_, found))) => {
            Err(ReadError::Manifest { shard: shard.to_owned(), field, expected, found })
        }
        None => Ok(()),
    }
}

fn header_of(shard: &str, entries: Option<&Vec<KeyValue>>) -> Result<ShardHeader, ReadError> {
    let entry = entries.into_iter().flatten().find(|entry| entry.key == ShardHeader::KEY);
    let Some(json) = entry.and_then(|entry| entry.value.as_deref()) else {
        return Err(unreadable(shard, &format!("no metadata key {}", ShardHeader::KEY)));
    };
    serde_json::from_str(json)
        .map_err(|error| unreadable(shard, &format!("metadata {}: {error}", ShardHeader::KEY)))
}

fn field_list(schema: &SchemaRef) -> String {
    let fields: Vec<String> = schema
        .fields()
        .iter()
        .map(|field| format!("{}: {}", field.name(), field.data_type()))
        .collect();
    fields.join(", ")
}

fn unreadable(shard: &str, reason: &dyn std::fmt::Display) -> ReadError {
    ReadError::Unreadable { shard: shard.to_owned(), reason: reason.to_string() }
}

thread_local! {
    static IS_DECODING: Cell<bool> = const { Cell::new(false) };
}

/// A panic while a thread decodes is an error to report, not a message on standard error.
fn silence_decoder() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let hook = take_hook();
        set_hook(Box::new(move |info| {
            if !IS_DECODING.get() {
                hook(info);
            }
        }));
    });
}

fn guarded<T>(shard: &str, read: impl FnOnce() -> Result<T, ReadError>) -> Result<T, ReadError> {
    silence_decoder();
    IS_DECODING.set(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    IS_DECODING.set(false);
    result.unwrap_or_else(|cause| {
        let text = cause
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| cause.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        Err(unreadable(shard, &format!("the Parquet decoder gave up: {text}")))
    })
}
