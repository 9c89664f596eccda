//! The Arrow schema `training-v1` and how each column lies on disk.

use crate::container::base_properties;
use arrow::datatypes::{DataType, Field, Fields, Schema, SchemaRef};
use parquet::basic::Encoding;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;
use std::sync::Arc;

/// Name and version of the schema; another version is refused.
pub const TRAINING_SCHEMA: &str = "training-v1";

/// The columns, in order; each is described at the field of the same name of
/// [`TrainingRow`](crate::TrainingRow). No column may be null.
pub fn training_schema(now_len: usize) -> SchemaRef {
    let column = |name: &str, data_type| Field::new(name, data_type, false);
    Arc::new(Schema::new(vec![
        column("game", DataType::FixedSizeBinary(16)),
        column("ply", DataType::UInt16),
        column("seat", DataType::UInt8),
        column("checkpoint", DataType::Utf8),
        column("now", DataType::FixedSizeBinary(i32::try_from(now_len).unwrap_or(i32::MAX))),
        column("n_legal", DataType::UInt16),
        column("visits", DataType::List(visits_element())),
        column("root_value", DataType::Float32),
        column("outcome", DataType::Int8),
        column("truncated", DataType::Boolean),
        column("policy_weight", DataType::Float32),
        column("value_weight", DataType::Float32),
    ]))
}

pub(crate) fn visits_element() -> Arc<Field> {
    Arc::new(Field::new("element", DataType::Struct(visits_fields()), false))
}

pub(crate) fn visits_fields() -> Fields {
    Fields::from(vec![
        Field::new("action", DataType::UInt16, false),
        Field::new("visits", DataType::UInt16, false),
    ])
}

/// Where a dictionary does not help, values are stored as they are: rows of one game lie next to each other and
/// differ in few bytes, which zstd finds. (`now` split by byte position would take half the bytes, but common
/// readers do not know that encoding for blobs.)
pub(crate) fn training_properties() -> WriterProperties {
    let columns: [(&[&str], Encoding); 5] = [
        (&["now"], Encoding::PLAIN),
        (&["ply"], Encoding::DELTA_BINARY_PACKED),
        (&["root_value"], Encoding::BYTE_STREAM_SPLIT),
        (&["visits", "list", "element", "action"], Encoding::BYTE_STREAM_SPLIT),
        (&["visits", "list", "element", "visits"], Encoding::BYTE_STREAM_SPLIT),
    ];
    let mut builder = base_properties();
    for (path, encoding) in columns {
        let path = ColumnPath::new(path.iter().map(|part| (*part).to_owned()).collect());
        builder = builder
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, encoding);
    }
    builder.build()
}
