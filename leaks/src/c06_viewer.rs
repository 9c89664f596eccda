//! C6: samplers that forget what the viewer knows.

use crate::planted::{Leak, Planted, Sampling, leak};
use audit::lab::Test;
use warchest::{State, Zones};

fn with_zones(sampling: &Sampling<'_>, of_viewer: bool, change: fn(&mut Zones)) -> State {
    let mut world = sampling.honest(sampling.seed);
    let viewer = sampling.viewer();
    change(world.zones_mut(if of_viewer { viewer } else { viewer.other() }));
    world
}

pub fn leaks() -> Vec<Leak> {
    vec![
        leak(
            6,
            "forgets-the-own-face-down-coins",
            "the viewer's own face-down discards are put back into its bag",
            Planted {
                world: |sampling| {
                    with_zones(sampling, true, |zones| {
                        zones.bag = zones.bag + zones.discard_down;
                        zones.discard_down = warchest::Coins::NONE;
                    })
                },
                ..Planted::CLEAN
            },
        )
        .caught_by(Test::Reobserve),
        leak(
            6,
            "forgets-the-own-hand",
            "the viewer's hand and bag are dealt anew",
            Planted {
                world: |sampling| {
                    with_zones(sampling, true, |zones| {
                        std::mem::swap(&mut zones.hand, &mut zones.bag)
                    })
                },
                ..Planted::CLEAN
            },
        )
        .caught_by(Test::Reobserve),
        leak(
            6,
            "forgets-what-lies-open",
            "the opponent's open discards are shuffled into its bag",
            Planted {
                world: |sampling| {
                    with_zones(sampling, false, |zones| {
                        zones.bag = zones.bag + zones.discard_up;
                        zones.discard_up = warchest::Coins::NONE;
                    })
                },
                ..Planted::CLEAN
            },
        )
        .caught_by(Test::Reobserve),
    ]
}
