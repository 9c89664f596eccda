//! What is on its way: messages between clients and the coordinator, and clients' alarms. Time stands in the key, so the
//! order of events is the order of the map.

use super::dice::Dice;
use crate::core::{Answer, Input};
use proto::WireError;
use std::collections::BTreeMap;

/// Which client.
pub type ClientId = usize;

#[derive(Clone, Debug)]
pub enum Event {
    /// A client's own alarm; `life` tells a dead client's from its successor's, `wake` a void one from the one that is
    /// set.
    Alarm {
        client: ClientId,
        life: u64,
        wake: u64,
    },
    Request {
        client: ClientId,
        life: u64,
        call: u64,
        input: Box<Input>,
    },
    Reply {
        client: ClientId,
        life: u64,
        call: u64,
        answer: Box<Result<Answer, WireError>>,
    },
    /// The coordinator comes back.
    Restart,
    Tick,
    /// Something breaks.
    Mishap,
}

impl Event {
    /// Kind, client, life and call as numbers, for the trace.
    pub fn summary(&self) -> (u64, ClientId, u64, u64) {
        match self {
            Event::Alarm { client, life, wake } => (1, *client, *life, *wake),
            Event::Request { client, life, call, .. } => (2, *client, *life, *call),
            Event::Reply { client, life, call, answer } => {
                (3 + u64::from(answer.is_ok()), *client, *life, *call)
            }
            Event::Restart => (5, 0, 0, 0),
            Event::Tick => (6, 0, 0, 0),
            Event::Mishap => (7, 0, 0, 0),
        }
    }
}

/// How bad the network is, in thousandths.
#[derive(Clone, Copy, Debug)]
pub struct Faults {
    pub drop: u64,
    pub double: u64,
    /// Longest delay of a message.
    pub delay_ms: u64,
}

pub const HEALED: Faults = Faults { drop: 0, double: 0, delay_ms: 20 };

#[derive(Debug, Default)]
pub struct Network {
    queue: BTreeMap<(u64, u64), Event>,
    n_events: u64,
    pub dropped: u64,
    pub doubled: u64,
}

impl Network {
    pub fn at(&mut self, time_ms: u64, event: Event) {
        self.n_events += 1;
        self.queue.insert((time_ms, self.n_events), event);
    }

    /// Sends a message through whatever may happen to it.
    pub fn send(&mut self, now_ms: u64, dice: &mut Dice, faults: Faults, message: Event) {
        if dice.chance(faults.drop) {
            self.dropped += 1;
            return;
        }
        if dice.chance(faults.double) {
            self.doubled += 1;
            let late = now_ms + 1 + dice.below(faults.delay_ms * 4);
            self.at(late, message.clone());
        }
        let arrival = now_ms + 1 + dice.below(faults.delay_ms);
        self.at(arrival, message);
    }

    pub fn next(&mut self) -> Option<(u64, Event)> {
        self.queue.pop_first().map(|((time_ms, _), event)| (time_ms, event))
    }
}
