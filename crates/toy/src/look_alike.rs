//! Lines that show a seat the same, found by playing.

use crate::line::{Act, Line, Sight};
use crate::small::{Small, SmallGame};
use game::{Rules, Seat, Turn};

/// What a search for a line found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    Line(Line),
    /// There is no such line.
    None,
    /// The search was given up.
    GaveUp,
}

/// After so many plies a search gives up.
const STEPS_MAX: u32 = 100_000;

/// Looks for lines that show `seat` exactly `sights`.
pub(crate) struct LookAlikes<'g, G, O, A> {
    rules: &'g Small<G>,
    seat: Seat,
    sights: &'g [Sight],
    /// Puts what may come next into the order in which it is tried.
    order: O,
    /// Whether a line that shows the same is wanted.
    is_wanted: A,
    steps_left: u32,
}

impl<'g, G, O, A> LookAlikes<'g, G, O, A>
where
    G: SmallGame,
    O: FnMut(&mut [Act]),
    A: Fn(&Line) -> bool,
{
    pub(crate) fn new(
        rules: &'g Small<G>,
        seat: Seat,
        sights: &'g [Sight],
        order: O,
        is_wanted: A,
    ) -> Self {
        LookAlikes { rules, seat, sights, order, is_wanted, steps_left: STEPS_MAX }
    }

    /// A wanted line that continues `line`: every continuation is tried, and given up at the first ply that shows
    /// the seat something else.
    pub(crate) fn find(&mut self, line: Line) -> Found {
        let Some(expected) = self.sights.get(line.acts().len()) else {
            return if (self.is_wanted)(&line) { Found::Line(line) } else { Found::None };
        };
        let mut next = Vec::new();
        match self.rules.turn(&line) {
            Turn::Over => {}
            Turn::Seat(_) => next = self.rules.legal(&line),
            Turn::Chance => self.rules.0.outcomes(line.acts(), &mut |act, _| next.push(act)),
        }
        (self.order)(&mut next);
        for act in next {
            if self.steps_left == 0 {
                return Found::GaveUp;
            }
            self.steps_left -= 1;
            if self.rules.0.sight(line.acts(), act, self.seat) == *expected {
                let mut longer = line;
                longer.push(act);
                let found = self.find(longer);
                if found != Found::None {
                    return found;
                }
            }
        }
        Found::None
    }
}
