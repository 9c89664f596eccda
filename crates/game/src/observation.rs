//! Everything one seat may know, with perfect recall.

use crate::{Hidden, Seat};

/// `now` and the way there: the starting position as this seat saw it and one event a ply.
///
/// Equality, information-set keys and beliefs use both parts. Features, cache keys and training rows are given
/// `now` alone.
pub struct Observation<G: Hidden> {
    seat: Seat,
    start: G::Now,
    events: Vec<G::Event>,
    now: G::Now,
}

impl<G: Hidden> Observation<G> {
    /// The observation of a game that begins here.
    pub fn begin(seat: Seat, start: G::Now) -> Self {
        Observation { seat, now: start.clone(), start, events: Vec::new() }
    }

    /// One ply has been played: what this seat saw of it and what it knows after it.
    pub fn extend(&mut self, event: G::Event, now: G::Now) {
        self.events.push(event);
        self.now = now;
    }

    pub fn seat(&self) -> Seat {
        self.seat
    }

    pub fn start(&self) -> &G::Now {
        &self.start
    }

    pub fn events(&self) -> &[G::Event] {
        &self.events
    }

    pub fn now(&self) -> &G::Now {
        &self.now
    }

    /// The one canonical byte form: seat, start, number of events, events, now.
    pub fn bytes(&self, rules: &G) -> Vec<u8> {
        let mut out = vec![self.seat.idx() as u8];
        rules.write_now(&self.start, &mut out);
        out.extend_from_slice(&(self.events.len() as u32).to_le_bytes());
        for event in &self.events {
            rules.write_event(event, &mut out);
        }
        rules.write_now(&self.now, &mut out);
        out
    }
}

impl<G: Hidden> Clone for Observation<G> {
    fn clone(&self) -> Self {
        Observation {
            seat: self.seat,
            start: self.start.clone(),
            events: self.events.clone(),
            now: self.now.clone(),
        }
    }
}

impl<G: Hidden> PartialEq for Observation<G> {
    fn eq(&self, other: &Self) -> bool {
        self.seat == other.seat
            && self.now == other.now
            && self.start == other.start
            && self.events == other.events
    }
}

impl<G: Hidden> Eq for Observation<G> {}

impl<G: Hidden> std::fmt::Debug for Observation<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Observation")
            .field("seat", &self.seat)
            .field("n_events", &self.events.len())
            .field("now", &self.now)
            .finish()
    }
}
