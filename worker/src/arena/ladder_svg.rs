//! The ladder as a figure: Elo by training step with 95 % intervals.

use super::ladder::Rung;
use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 48.0;

/// A whole SVG document.
pub fn figure(rungs: &[Rung]) -> String {
    let steps = span(rungs.iter().map(|rung| rung.step as f64), 0.0);
    let elos =
        span(rungs.iter().flat_map(|rung| [rung.rating.elo_low, rung.rating.elo_high]), 0.06);
    let x = |step: f64| LEFT + (step - steps.0) / (steps.1 - steps.0) * (WIDTH - LEFT - RIGHT);
    let y = |elo: f64| TOP + (elos.1 - elo) / (elos.1 - elos.0) * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let mut line = |text: String| svg.push_str(&text);
    for elo in ticks(elos) {
        let y = y(elo);
        line(format!(
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{elo}</text>\n",
            WIDTH - RIGHT,
            LEFT - 8.0,
            y + 4.0
        ));
    }
    for step in ticks(steps) {
        line(format!(
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{step}</text>\n",
            x(step),
            HEIGHT - BOTTOM + 20.0
        ));
    }
    let mut points = String::new();
    for rung in rungs {
        let (x, rating) = (x(rung.step as f64), &rung.rating);
        line(format!(
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#36c\"/>\
             <circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"#36c\"/>\n",
            y(rating.elo_low),
            y(rating.elo_high),
            y(rating.elo)
        ));
        let _ = write!(points, "{x:.1},{:.1} ", y(rating.elo));
    }
    line(format!("<polyline points=\"{}\" fill=\"none\" stroke=\"#36c\"/>\n", points.trim_end()));
    line(format!(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">training step</text>\n\
         <text x=\"{LEFT}\" y=\"16\">Elo relative to the first checkpoint, 95 % intervals</text>\n",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 10.0
    ));
    svg.push_str("</svg>\n");
    svg
}

/// Least and most, never equal, with a margin on both sides as a share of the range.
fn span(values: impl Iterator<Item = f64>, margin: f64) -> (f64, f64) {
    let (low, high) = values.fold((0.0f64, 0.0f64), |(low, high), x| (low.min(x), high.max(x)));
    let high = if high > low { high } else { low + 1.0 };
    let extra = margin * (high - low);
    (low - extra, high + extra)
}

/// About five round numbers inside a span.
fn ticks((low, high): (f64, f64)) -> Vec<f64> {
    let raw = (high - low) / 5.0;
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|&step| step >= raw)
        .unwrap_or(raw)
        .max(1.0);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|n| n as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::Rating;

    #[test]
    fn a_figure_has_a_point_and_an_interval_a_rung_and_finite_numbers() {
        let rating = |elo: f64| Rating {
            elo,
            elo_low: elo - 40.0,
            elo_high: elo + 40.0,
            points: 1.0,
            games: 2.0,
        };
        let rungs: Vec<Rung> = [(0, 0.0), (100, 80.0), (250, 210.0)]
            .into_iter()
            .map(|(step, elo)| Rung { checkpoint: "c".to_owned(), step, rating: rating(elo) })
            .collect();
        let svg = figure(&rungs);
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"));
        let one = figure(&rungs[..1]);
        assert!(!one.contains("NaN") && !one.contains("inf"), "{one}");
    }
}
