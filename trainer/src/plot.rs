//! The losses as a picture. SVG text names a font family and leaves drawing to the viewer: no fonts are needed.

use crate::metrics::StepMetrics;
use plotters::prelude::*;

/// A picture that could not be drawn.
#[derive(Debug, thiserror::Error)]
#[error("the loss plot cannot be drawn: {0}")]
pub struct PlotError(String);

const POLICY: RGBColor = RGBColor(31, 119, 180);
const ENTROPY: RGBColor = RGBColor(150, 150, 150);
const VALUE: RGBColor = RGBColor(214, 94, 0);

/// Policy loss, the entropy below it, and value loss by step, each a running mean over a fiftieth of the steps.
pub fn loss_svg(steps: &[StepMetrics], title: &str) -> Result<String, PlotError> {
    let window = (steps.len() / 50).max(1);
    let curve = |of: fn(&StepMetrics) -> Option<f64>| smooth(steps, window, of);
    let curves = [
        ("policy loss", POLICY, curve(|step| Some(step.policy_loss))),
        ("entropy of the targets", ENTROPY, curve(|step| Some(step.target_entropy))),
        ("value loss", VALUE, curve(|step| step.value_loss)),
    ];
    let all = || curves.iter().flat_map(|(_, _, curve)| curve.iter().copied());
    let (first, last) = match (steps.first(), steps.last()) {
        (Some(first), Some(last)) => (first.step as f64, last.step as f64),
        _ => (0.0, 1.0),
    };
    let top = all().map(|(_, loss)| loss).fold(0.1, f64::max) * 1.1;
    let mut svg = String::new();
    draw(&mut svg, title, (first - 1.0, last.max(first + 1.0), top), &curves)
        .map_err(|error| PlotError(error.to_string()))?;
    Ok(svg)
}

type Curve = (&'static str, RGBColor, Vec<(f64, f64)>);

fn draw(
    svg: &mut String,
    title: &str,
    (first, last, top): (f64, f64, f64),
    curves: &[Curve],
) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(svg, (900, 500)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 20))
        .margin(14)
        .x_label_area_size(40)
        .y_label_area_size(56)
        .build_cartesian_2d(first..last, 0.0..top)?;
    chart.configure_mesh().x_desc("training step").y_desc("loss").light_line_style(WHITE).draw()?;
    for (name, color, points) in curves {
        let color = *color;
        chart
            .draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(2)))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
    area.present()?;
    Ok(())
}

/// The mean of the last `window` values at each step that has one.
fn smooth(
    steps: &[StepMetrics],
    window: usize,
    of: fn(&StepMetrics) -> Option<f64>,
) -> Vec<(f64, f64)> {
    let points: Vec<(f64, f64)> =
        steps.iter().filter_map(|step| Some((step.step as f64, of(step)?))).collect();
    let mean = |upto: usize| {
        let part = &points[(upto + 1).saturating_sub(window)..=upto];
        part.iter().map(|(_, loss)| loss).sum::<f64>() / part.len() as f64
    };
    points.iter().enumerate().map(|(at, (step, _))| (*step, mean(at))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(step: u64, loss: f64, value_loss: Option<f64>) -> StepMetrics {
        StepMetrics { step, policy_loss: loss, target_entropy: 0.5, value_loss, gradient_norm: 1.0 }
    }

    #[test]
    fn the_plot_shows_each_curve_and_names_it() {
        let steps: Vec<StepMetrics> =
            (1..=200).map(|n| step(n, 3.0 / n as f64, Some(1.0))).collect();
        let svg = loss_svg(&steps, "a title").unwrap();
        for text in ["<svg", "a title", "policy loss", "value loss", "entropy", "</svg>"] {
            assert!(svg.contains(text), "{text}");
        }
        let curves = svg.matches("<polyline").count();
        let without =
            steps.iter().map(|s| StepMetrics { value_loss: None, ..*s }).collect::<Vec<_>>();
        assert!(loss_svg(&without, "x").unwrap().matches("<polyline").count() < curves);
    }

    #[test]
    fn few_steps_are_no_problem() {
        loss_svg(&[], "none").unwrap();
        loss_svg(&[step(7, 1.0, None)], "one").unwrap();
    }
}
