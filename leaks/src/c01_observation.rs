//! C1: what the seat is given to know, as observation, features, row and message.

use crate::planted::{Leak, Planted, has_royal, hidden, leak, tell};
use game::Observation;

pub fn leaks() -> Vec<Leak> {
    vec![
        leak(
            1,
            "bag-order-in-a-feature",
            "a feature holds which coin lies on top of the opponent's bag",
            Planted {
                features: |scene, _, out| {
                    let top = hidden(scene).bag.slots().next();
                    out[0] += top.map_or(0.0, |slot| 1.0 + slot as f32);
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            1,
            "royal-coin-in-a-feature",
            "the last feature says whether the opponent holds its royal coin",
            Planted {
                features: |scene, _, out| {
                    if let Some(last) = out.last_mut() {
                        *last += f32::from(u8::from(has_royal(scene)));
                    }
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            1,
            "faint-feature",
            "the hand moves the lowest bit of one feature",
            Planted {
                features: |scene, _, out| {
                    let bit = hidden(scene).hand.bits().count_ones() & 1;
                    out[7] = f32::from_bits(out[7].to_bits() ^ bit);
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            1,
            "reserve-without-the-hand",
            "the public reserve leaves the opponent's hand out",
            Planted {
                observe: |scene, seen| {
                    let mut now = *seen.now();
                    now.opponent.reserve = hidden(scene).bag;
                    let mut changed = Observation::begin(seen.seat(), *seen.start());
                    let (last, before) = match seen.events().split_last() {
                        Some(split) => split,
                        None => return seen,
                    };
                    before.iter().for_each(|event| changed.extend(*event, *seen.now()));
                    changed.extend(*last, now);
                    changed
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            1,
            "face-down-coins-in-the-row",
            "the stored bytes of now carry the opponent's face-down discards",
            Planted {
                row: |scene, row| {
                    if let Some(last) = row.now.last_mut() {
                        *last ^= hidden(scene).discard_down.bits() as u8;
                    }
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            1,
            "player-stream-shows-the-hand",
            "the message to the seat lists the opponent's hand",
            Planted {
                shown: |scene, shown| {
                    shown.push_str(&format!("{{\"opponent_hand\":{:?}}}\n", hidden(scene).hand));
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            1,
            "salted-board-drawing",
            "the drawn board ends with blanks that count the opponent's coins",
            Planted {
                shown: |scene, shown| shown.push_str(&" ".repeat(tell(scene) as usize % 7)),
                ..Planted::CLEAN
            },
        ),
    ]
}
