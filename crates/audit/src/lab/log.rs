//! What a piece of code logs, as text. Fields of events and spans alike; no clock.

use std::cell::RefCell;
use std::fmt::{Debug, Write};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Dispatch, Event, Metadata, Subscriber};

thread_local! {
    static LINES: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Collects what this thread logs. One for a whole comparison: making one is a global affair.
#[derive(Clone)]
pub(super) struct Log(Dispatch);

impl Log {
    pub fn new() -> Log {
        Log(Dispatch::new(Collector))
    }

    /// Runs `work` and appends every line that it logs to `out`.
    pub fn capture<T>(&self, out: &mut Vec<u8>, work: impl FnOnce() -> T) -> T {
        LINES.with_borrow_mut(String::clear);
        let done = tracing::dispatcher::with_default(&self.0, work);
        LINES.with_borrow(|lines| out.extend_from_slice(lines.as_bytes()));
        done
    }
}

struct Collector;

struct Line<'a>(&'a mut String);

impl Visit for Line<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = write!(self.0, " {}={value:?}", field.name());
    }
}

impl Subscriber for Collector {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        LINES.with_borrow_mut(|lines| {
            lines.push_str(span.metadata().name());
            span.record(&mut Line(lines));
            lines.push('\n');
        });
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        LINES.with_borrow_mut(|lines| values.record(&mut Line(lines)));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        LINES.with_borrow_mut(|lines| {
            let _ = write!(lines, "{} {}", event.metadata().level(), event.metadata().target());
            event.record(&mut Line(lines));
            lines.push('\n');
        });
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
