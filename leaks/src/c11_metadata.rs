//! C11: what stands beside the rows: ids, order, names, origins, log lines, error texts.

use crate::planted::{Leak, Planted, hidden, leak};
use audit::lab::{Game, Test};
use game::GameId;
use warchest::WarChest;

/// A number in which both hands at the end of a game show.
fn hands(game: &Game<'_, WarChest>) -> u32 {
    let state = game.truth.planted_state();
    let bits =
        game::Seat::BOTH.map(|seat| state.zones(seat).hand.bits() ^ state.zones(seat).bag.bits());
    bits[0] ^ bits[1].rotate_left(7)
}

fn hand_of_first(games: &[Game<'_, WarChest>]) -> u32 {
    games.iter().fold(0, |sum, game| sum.rotate_left(3) ^ hands(game))
}

pub fn leaks() -> Vec<Leak> {
    let mut leaks = vec![
        leak(
            11,
            "game-id-is-the-seed",
            "the id of a game begins with the secret that its deal comes from",
            Planted {
                game_id: |secret, number| {
                    let mut id = secret.game_id(number);
                    id.0[..8].copy_from_slice(&secret.0[..8]);
                    id
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            11,
            "game-id-without-a-key",
            "the id of a game is a hash of its number alone",
            Planted {
                game_id: |_, number| {
                    let mut id = [0; 16];
                    id.copy_from_slice(&blake3::hash(&number.to_le_bytes()).as_bytes()[..16]);
                    GameId(id)
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            11,
            "game-id-counts",
            "ids count up from a secret start, so that one known deal gives all",
            Planted {
                game_id: |secret, number| {
                    let start = u128::from_le_bytes(secret.game_id(0).0);
                    GameId(start.wrapping_add(u128::from(number)).to_le_bytes())
                },
                ..Planted::CLEAN
            },
        ),
    ]
    .into_iter()
    .map(|leak| leak.caught_by(Test::Ids))
    .collect::<Vec<_>>();
    leaks.extend([
        leak(
            11,
            "games-sorted-by-the-truth",
            "the games of a shard are sorted by the hands at their end",
            Planted { arrange: |games| games.sort_by_key(hands), ..Planted::CLEAN },
        ),
        leak(
            11,
            "file-name-by-the-truth",
            "the shard's file name carries a checksum of the hands",
            Planted {
                key: |games, key| *key = format!("shards/{:08x}.parquet", hand_of_first(games)),
                ..Planted::CLEAN
            },
        ),
        leak(
            11,
            "manifest-tells-the-secret",
            "the manifest's build carries a byte of the deal secret",
            Planted {
                origin: |games, origin| {
                    let byte = games.first().map_or(0, |game| game.secret.0[0]);
                    origin.build = format!("lab-{byte}");
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            11,
            "clock-tells-the-hand",
            "the shard's time is later by what the opponents held",
            Planted {
                origin: |games, origin| {
                    origin.created_ms += u64::from(hand_of_first(games) % 1000);
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            11,
            "log-line",
            "a decision's log line has the opponent's hand in a field",
            Planted {
                log: |scene| tracing::debug!(hand = ?hidden(scene).hand, "searched"),
                ..Planted::CLEAN
            },
        ),
        leak(
            11,
            "span-field",
            "the span of a decision carries the bag in a field",
            Planted {
                log: |scene| drop(tracing::info_span!("decision", bag = ?hidden(scene).bag)),
                ..Planted::CLEAN
            },
        ),
        leak(
            11,
            "error-text",
            "the refusal of an illegal action says what the seats hold",
            Planted {
                refusal: |truth, text| {
                    let state = truth.planted_state();
                    let hands = game::Seat::BOTH.map(|seat| state.zones(seat).hand);
                    text.push_str(&format!(" (hands {hands:?})"));
                },
                ..Planted::CLEAN
            },
        ),
    ]);
    leaks
}
