//! The strategy as Parquet, read back.

use crate::solved;
use arrow::array::{Array, Float64Array, StringArray, UInt8Array, UInt32Array};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::collections::HashMap;
use std::fs::File;

#[test]
fn the_exported_strategy_is_an_equilibrium_of_kuhn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kuhn.parquet");
    solved(&["kuhn", "--iterations", "20000", "--strategy", path.to_str().unwrap()]);
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).unwrap()).unwrap();
    let metadata = builder.metadata().file_metadata().key_value_metadata().unwrap().clone();
    let said = |key: &str| {
        let found = metadata.iter().find(|pair| pair.key == key).expect(key);
        found.value.clone().unwrap()
    };
    assert_eq!(said("muster.game"), "kuhn");
    assert_eq!(said("muster.algorithm"), "cfr+");
    assert_eq!(said("muster.iterations"), "20000");
    let batch = builder.build().unwrap().next().unwrap().unwrap();
    let names: Vec<String> =
        batch.schema().fields().iter().map(|field| field.name().clone()).collect();
    assert_eq!(names, ["seat", "information_set", "seen", "action", "probability", "reach"]);
    assert_eq!(batch.num_rows(), 24);
    let seats = batch.column(0).as_any().downcast_ref::<UInt8Array>().unwrap();
    let sets = batch.column(1).as_any().downcast_ref::<UInt32Array>().unwrap();
    let seen = batch.column(2).as_any().downcast_ref::<StringArray>().unwrap();
    let actions = batch.column(3).as_any().downcast_ref::<StringArray>().unwrap();
    let probabilities = batch.column(4).as_any().downcast_ref::<Float64Array>().unwrap();
    let reaches = batch.column(5).as_any().downcast_ref::<Float64Array>().unwrap();
    let mut sums: HashMap<u32, f64> = HashMap::new();
    for row in 0..24 {
        *sums.entry(sets.value(row)).or_default() += probabilities.value(row);
        assert!(seats.value(row) < 2);
        assert!((0.0..=1.0).contains(&reaches.value(row)));
    }
    assert_eq!(sums.len(), 12);
    assert!(sums.values().all(|sum| (sum - 1.0).abs() < 1e-9), "{sums:?}");
    let probability = |seat: u8, saw: &str, action: &str| {
        let row = (0..24).find(|row| {
            seats.value(*row) == seat && seen.value(*row) == saw && actions.value(*row) == action
        });
        let row =
            row.unwrap_or_else(|| panic!("{saw} {action}: {:?}", seen.iter().collect::<Vec<_>>()));
        (probabilities.value(row), reaches.value(row))
    };
    // Kuhn 1950: the first player bets a jack with α and a king with 3α; the second calls with a king always, with a
    // jack never, and with a queen a third of the time.
    let (alpha, _) = probability(0, "J, ?", "bet");
    let (king, _) = probability(0, "K, ?", "bet");
    assert!((king - 3.0 * alpha).abs() < 0.02, "{alpha} {king}");
    assert!((probability(1, "?, Q, bet", "bet").0 - 1.0 / 3.0).abs() < 0.02);
    assert!(probability(1, "?, K, bet", "bet").0 > 0.999);
    assert!(probability(1, "?, J, bet", "bet").0 < 0.001);
    // The way to the second decision of the jack is a pass at the first.
    let (_, reach) = probability(0, "J, ?, pass, bet", "pass");
    assert!((reach - (1.0 - alpha)).abs() < 1e-12, "{reach} {alpha}");
}
