//! The Arrow schema `audit-v1`: set-up rows and ply rows in one table, the set-up row of a game before its plies.

use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use parquet::file::properties::WriterProperties;
use record::container::base_properties;
use std::sync::Arc;

/// Name and version of the schema; another version is refused.
pub const AUDIT_SCHEMA: &str = "audit-v1";

/// The columns, in order. `ply` is null in a set-up row and nowhere else; the columns from `setup` to
/// `utilities` are null in ply rows (`utilities` in a truncated game too); `seat` is null for chance; the columns
/// from `full` on are null where no search decided. Meaning and unit of each: [`crate::row`].
pub fn audit_schema() -> SchemaRef {
    let required = |name: &str, data_type| Field::new(name, data_type, false);
    let optional = |name: &str, data_type| Field::new(name, data_type, true);
    Arc::new(Schema::new(vec![
        required("game", DataType::FixedSizeBinary(16)),
        optional("ply", DataType::UInt16),
        optional("seat", DataType::UInt8),
        optional("action", DataType::Utf8),
        optional("setup", DataType::Utf8),
        optional("start", DataType::Utf8),
        optional("options", DataType::Utf8),
        optional("players", list(DataType::Utf8)),
        optional("run_seed", DataType::UInt64),
        optional("search", DataType::Utf8),
        optional("n_plies", DataType::UInt16),
        optional("utilities", list(DataType::Float64)),
        optional("full", DataType::Boolean),
        optional("belief", DataType::Utf8),
        optional("belief_seed", DataType::UInt64),
        optional("root_value", DataType::Float32),
        optional("chosen_idx", DataType::UInt16),
        optional("visits", list(DataType::UInt32)),
        optional("world_simulations", list(DataType::UInt32)),
        optional("world_n", list(DataType::UInt32)),
        optional("world_q", list(DataType::Float32)),
    ]))
}

fn list(element: DataType) -> DataType {
    DataType::List(element_field(element))
}

pub(crate) fn element_field(element: DataType) -> Arc<Field> {
    Arc::new(Field::new("element", element, false))
}

pub(crate) fn audit_properties() -> WriterProperties {
    base_properties().build()
}
