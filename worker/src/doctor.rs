//! `doctor`: which libtorch this binary has loaded, and what its numbers depend on. `muster doctor` asks for it.

use clap::Args;
use run::Exit;
use serde_json::json;

/// Say which libtorch this binary has loaded.
#[derive(Args, Debug)]
pub struct DoctorArgs {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Entry point of the command.
pub fn run(args: &DoctorArgs) -> anyhow::Result<Exit> {
    let has_cuda = tch::Cuda::is_available();
    let cuda_why = match (has_cuda, tch::utils::has_cuda()) {
        (true, _) => "",
        (false, true) => "libtorch has it, but finds no device or driver",
        (false, false) => "the CPU part of libtorch is installed",
    };
    let object = json!({
        "torch": net::torch_version(),
        "libtorch": loaded_from(),
        "numerics": format!("torch {}, cpu, {}", net::torch_version(), net::kernel_level()),
        "cuda": has_cuda,
        "cuda_why": cuda_why,
    });
    if args.json {
        println!("{object}");
    } else {
        for (key, value) in object.as_object().into_iter().flatten() {
            println!("{key:<10} {value}");
        }
    }
    Ok(Exit::Done)
}

/// The folder that the dynamic linker took libtorch from.
fn loaded_from() -> String {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    maps.lines()
        .find_map(|line| line.split_whitespace().last()?.strip_suffix("/libtorch_cpu.so"))
        .unwrap_or("unknown")
        .to_owned()
}
