//! NashConv by iteration as a picture. SVG text names a font family and leaves drawing to the viewer: no fonts are
//! needed.

use super::report::Report;
use anyhow::anyhow;
use plotters::prelude::*;

const AVERAGE: RGBColor = RGBColor(31, 119, 180);
const CURRENT: RGBColor = RGBColor(214, 94, 0);

/// Both axes are logarithmic; points at 0 cannot be drawn and are left out.
pub fn svg(report: &Report) -> anyhow::Result<String> {
    let curve = report.session.as_ref().map_or(&[][..], |session| &session.curve);
    let drawn = |y: f64| y > 0.0 && y.is_finite();
    let average: Vec<(f64, f64)> = curve
        .iter()
        .map(|point| (point.iteration as f64, point.nash_conv))
        .filter(|(_, y)| drawn(*y))
        .collect();
    let current: Vec<(f64, f64)> = curve
        .iter()
        .map(|point| (point.iteration as f64, point.nash_conv_current))
        .filter(|(_, y)| drawn(*y))
        .collect();
    let title = format!("{}, {}", report.game, report.algorithm);
    let curves = [("average strategy", AVERAGE, average), ("last iterate", CURRENT, current)];
    let mut svg = String::new();
    draw(&mut svg, &title, &curves)
        .map_err(|error| anyhow!("the curve cannot be drawn: {error}"))?;
    Ok(svg)
}

type Curve = (&'static str, RGBColor, Vec<(f64, f64)>);

fn draw(svg: &mut String, title: &str, curves: &[Curve]) -> Result<(), Box<dyn std::error::Error>> {
    let all = || curves.iter().flat_map(|(_, _, points)| points.iter().copied());
    let bounds = |of: fn((f64, f64)) -> f64| {
        let low = all().map(of).fold(f64::INFINITY, f64::min);
        let high = all().map(of).fold(f64::NEG_INFINITY, f64::max);
        // A single point, or none, still needs an axis.
        if low.is_finite() { (low / 1.3, high * 1.3) } else { (0.1, 10.0) }
    };
    let ((x_low, x_high), (y_low, y_high)) = (bounds(|(x, _)| x), bounds(|(_, y)| y));
    let area = SVGBackend::with_string(svg, (900, 500)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 20))
        .margin(14)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d((x_low..x_high).log_scale(), (y_low..y_high).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("iteration")
        .y_desc("NashConv")
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| format!("{y:.0e}"))
        .light_line_style(WHITE)
        .draw()?;
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
