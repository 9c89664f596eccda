//! Reads audit shards, as strictly as training shards: damage and impossible values are errors, never a panic.

use crate::row::{GameRecord, PlyRow, SearchRow, SetupRow, WorldRow};
use crate::schema::{AUDIT_SCHEMA, audit_schema};
use crate::seal::Identity;
use arrow::array::{
    Array, ArrayRef, ArrowPrimitiveType, AsArray, BooleanArray, FixedSizeBinaryArray, ListArray,
    PrimitiveArray, RecordBatch, StringArray,
};
use arrow::datatypes::{Float32Type, Float64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use bytes::Bytes;
use game::{Fingerprint, GameId};
use record::container::{check_digest, check_header, decode};
use record::{ReadError, RowFault, ShardHeader, ShardKind, ShardManifest};
use std::collections::BTreeSet;

/// A decoded audit shard: games in the order they were written.
#[derive(Clone, PartialEq, Debug)]
pub struct AuditShard {
    pub header: ShardHeader,
    pub games: Vec<GameRecord>,
}

/// Reads the sealed shard of `manifest`: size, digest, seal, manifest, schema, fingerprint and every value.
pub fn read_audit_of(
    manifest: &ShardManifest,
    sealed: &[u8],
    identity: &Identity,
    fingerprint: Fingerprint,
) -> Result<AuditShard, ReadError> {
    check_digest(manifest, sealed)?;
    let shard = read_audit(&manifest.shard, sealed, identity, fingerprint)?;
    check_header(manifest, &shard.header)?;
    Ok(shard)
}

/// Opens and reads a sealed shard without a manifest. `shard` names it in errors.
pub fn read_audit(
    shard: &str,
    sealed: &[u8],
    identity: &Identity,
    fingerprint: Fingerprint,
) -> Result<AuditShard, ReadError> {
    let plain = identity.open(shard, sealed)?;
    decode_audit(shard, plain, fingerprint)
}

/// Reads an opened shard.
pub fn decode_audit(
    shard: &str,
    bytes: Vec<u8>,
    fingerprint: Fingerprint,
) -> Result<AuditShard, ReadError> {
    let open = decode(shard, &Bytes::from(bytes), ShardKind::Audit, AUDIT_SCHEMA, &audit_schema())?;
    if open.header.fingerprint != fingerprint {
        return Err(ReadError::Fingerprint {
            shard: shard.to_owned(),
            expected: fingerprint,
            found: open.header.fingerprint,
        });
    }
    let mut games = Games::default();
    let mut n_rows = 0;
    for batch in &open.batches {
        let columns = Columns::of(batch).map_err(|name| ReadError::Unreadable {
            shard: shard.to_owned(),
            reason: format!("column {name} is missing or has another type"),
        })?;
        for idx in 0..batch.num_rows() {
            games.take(&columns, idx).map_err(|fault| value_error(shard, n_rows, fault))?;
            n_rows += 1;
        }
    }
    let games = games.finish().map_err(|fault| value_error(shard, n_rows, fault))?;
    check_counts(shard, &open.header, &games)?;
    Ok(AuditShard { header: open.header, games })
}

fn check_counts(shard: &str, header: &ShardHeader, games: &[GameRecord]) -> Result<(), ReadError> {
    let count_error = |field, expected: u64, found: u64| ReadError::Manifest {
        shard: shard.to_owned(),
        field,
        expected: expected.to_string(),
        found: found.to_string(),
    };
    let n_truncated = games.iter().filter(|game| game.setup.utilities.is_none()).count() as u64;
    if header.games != games.len() as u64 {
        return Err(count_error("games", header.games, games.len() as u64));
    }
    if header.truncated_games != n_truncated {
        return Err(count_error("truncated_games", header.truncated_games, n_truncated));
    }
    Ok(())
}

fn value_error(shard: &str, row: u64, fault: RowFault) -> ReadError {
    ReadError::Value { shard: shard.to_owned(), row, column: fault.column, reason: fault.reason }
}

fn fault<T>(column: &'static str, reason: &str) -> Result<T, RowFault> {
    Err(RowFault { column, reason: reason.to_owned() })
}

/// Puts rows together to games.
#[derive(Default)]
struct Games {
    done: Vec<GameRecord>,
    seen: BTreeSet<GameId>,
    /// The game whose plies are coming, and how many its set-up row promised.
    open: Option<(GameRecord, u16)>,
}

impl Games {
    fn take(&mut self, columns: &Columns<'_>, idx: usize) -> Result<(), RowFault> {
        let game = columns.game(idx)?;
        if columns.ply.is_null(idx) {
            self.end_game()?;
            if !self.seen.insert(game) {
                return fault("game", "has two set-up rows");
            }
            let n_plies = value(columns.n_plies, idx, "n_plies")?;
            let setup = columns.setup_row(idx)?;
            self.open = Some((GameRecord { game, setup, plies: Vec::new() }, n_plies));
            return Ok(());
        }
        let Some((record, _)) = self.open.as_mut().filter(|(record, _)| record.game == game) else {
            return fault("game", "a ply without its game's set-up row before it");
        };
        if usize::from(columns.ply.value(idx)) != record.plies.len() {
            return fault("ply", "is not the game's next ply");
        }
        record.plies.push(columns.ply_row(idx)?);
        Ok(())
    }

    fn end_game(&mut self) -> Result<(), RowFault> {
        let Some((record, n_plies)) = self.open.take() else { return Ok(()) };
        if record.plies.len() != usize::from(n_plies) {
            return fault("n_plies", "is not the number of the game's ply rows");
        }
        record.check().map_err(|(_, fault)| fault)?;
        self.done.push(record);
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<GameRecord>, RowFault> {
        self.end_game()?;
        Ok(self.done)
    }
}

struct Columns<'a> {
    game: &'a FixedSizeBinaryArray,
    ply: &'a PrimitiveArray<UInt16Type>,
    seat: &'a PrimitiveArray<UInt8Type>,
    action: &'a StringArray,
    setup: &'a StringArray,
    start: &'a StringArray,
    options: &'a StringArray,
    players: &'a ListArray,
    run_seed: &'a PrimitiveArray<UInt64Type>,
    search: &'a StringArray,
    n_plies: &'a PrimitiveArray<UInt16Type>,
    utilities: &'a ListArray,
    full: &'a BooleanArray,
    belief: &'a StringArray,
    belief_seed: &'a PrimitiveArray<UInt64Type>,
    root_value: &'a PrimitiveArray<Float32Type>,
    chosen_idx: &'a PrimitiveArray<UInt16Type>,
    visits: &'a ListArray,
    world_simulations: &'a ListArray,
    world_n: &'a ListArray,
    world_q: &'a ListArray,
}

impl<'a> Columns<'a> {
    /// Every column with its type, or the name of one that has another.
    fn of(batch: &'a RecordBatch) -> Result<Columns<'a>, &'static str> {
        let column = |name: &'static str| batch.column_by_name(name).ok_or(name);
        let text = |name| column(name)?.as_string_opt().ok_or(name);
        let list = |name| column(name)?.as_list_opt().ok_or(name);
        Ok(Columns {
            game: column("game")?.as_fixed_size_binary_opt().ok_or("game")?,
            ply: primitive(column("ply")?, "ply")?,
            seat: primitive(column("seat")?, "seat")?,
            action: text("action")?,
            setup: text("setup")?,
            start: text("start")?,
            options: text("options")?,
            players: list("players")?,
            run_seed: primitive(column("run_seed")?, "run_seed")?,
            search: text("search")?,
            n_plies: primitive(column("n_plies")?, "n_plies")?,
            utilities: list("utilities")?,
            full: column("full")?.as_boolean_opt().ok_or("full")?,
            belief: text("belief")?,
            belief_seed: primitive(column("belief_seed")?, "belief_seed")?,
            root_value: primitive(column("root_value")?, "root_value")?,
            chosen_idx: primitive(column("chosen_idx")?, "chosen_idx")?,
            visits: list("visits")?,
            world_simulations: list("world_simulations")?,
            world_n: list("world_n")?,
            world_q: list("world_q")?,
        })
    }

    fn game(&self, idx: usize) -> Result<GameId, RowFault> {
        match <[u8; 16]>::try_from(self.game.value(idx)) {
            Ok(id) => Ok(GameId(id)),
            Err(_) => fault("game", "is not 16 bytes"),
        }
    }

    fn setup_row(&self, idx: usize) -> Result<SetupRow, RowFault> {
        let players = strings(self.players, idx, "players")?;
        let utilities = match self.utilities.is_null(idx) {
            true => None,
            false => Some(numbers::<Float64Type>(self.utilities, idx, "utilities")?),
        };
        if utilities.as_ref().is_some_and(|all| all.len() != players.len()) {
            return fault("utilities", "has not one result for each player");
        }
        Ok(SetupRow {
            setup: text(self.setup, idx, "setup")?,
            start: text(self.start, idx, "start")?,
            options: text(self.options, idx, "options")?,
            players,
            run_seed: value(self.run_seed, idx, "run_seed")?,
            search: text(self.search, idx, "search")?,
            utilities,
        })
    }

    fn ply_row(&self, idx: usize) -> Result<PlyRow, RowFault> {
        let search = match self.full.is_null(idx) {
            true => None,
            false => Some(self.search_row(idx)?),
        };
        Ok(PlyRow {
            seat: (!self.seat.is_null(idx)).then(|| self.seat.value(idx)),
            action: text(self.action, idx, "action")?,
            search,
        })
    }

    fn search_row(&self, idx: usize) -> Result<SearchRow, RowFault> {
        let visits = numbers::<UInt32Type>(self.visits, idx, "visits")?;
        let simulations = numbers::<UInt32Type>(self.world_simulations, idx, "world_simulations")?;
        let n = numbers::<UInt32Type>(self.world_n, idx, "world_n")?;
        let q = numbers::<Float32Type>(self.world_q, idx, "world_q")?;
        let n_legal = visits.len();
        if n_legal == 0 {
            return fault("visits", "is empty");
        }
        if simulations.len().checked_mul(n_legal) != Some(n.len()) || q.len() != n.len() {
            return fault("world_n", "has not one number for each world and legal action");
        }
        let worlds = simulations
            .iter()
            .zip(n.chunks(n_legal).zip(q.chunks(n_legal)))
            .map(|(&simulations, (n, q))| WorldRow { simulations, n: n.to_vec(), q: q.to_vec() })
            .collect();
        Ok(SearchRow {
            full: self.full.value(idx),
            belief: text(self.belief, idx, "belief")?,
            belief_seed: value(self.belief_seed, idx, "belief_seed")?,
            root_value: value(self.root_value, idx, "root_value")?,
            chosen_idx: value(self.chosen_idx, idx, "chosen_idx")?,
            visits,
            worlds,
        })
    }
}

fn primitive<'a, T: ArrowPrimitiveType>(
    column: &'a ArrayRef,
    name: &'static str,
) -> Result<&'a PrimitiveArray<T>, &'static str> {
    column.as_primitive_opt().ok_or(name)
}

fn value<T: ArrowPrimitiveType>(
    column: &PrimitiveArray<T>,
    idx: usize,
    name: &'static str,
) -> Result<T::Native, RowFault> {
    match column.is_null(idx) {
        true => fault(name, "is null"),
        false => Ok(column.value(idx)),
    }
}

fn text(column: &StringArray, idx: usize, name: &'static str) -> Result<String, RowFault> {
    match column.is_null(idx) {
        true => fault(name, "is null"),
        false => Ok(column.value(idx).to_owned()),
    }
}

fn numbers<T: ArrowPrimitiveType>(
    column: &ListArray,
    idx: usize,
    name: &'static str,
) -> Result<Vec<T::Native>, RowFault> {
    if column.is_null(idx) {
        return fault(name, "is null");
    }
    let elements = column.value(idx);
    match elements.as_primitive_opt::<T>() {
        Some(numbers) => Ok(numbers.values().to_vec()),
        None => fault(name, "holds elements of another type"),
    }
}

fn strings(column: &ListArray, idx: usize, name: &'static str) -> Result<Vec<String>, RowFault> {
    if column.is_null(idx) {
        return fault(name, "is null");
    }
    let elements = column.value(idx);
    match elements.as_string_opt::<i32>() {
        Some(texts) => Ok(texts.iter().flatten().map(str::to_owned).collect()),
        None => fault(name, "holds elements of another type"),
    }
}
