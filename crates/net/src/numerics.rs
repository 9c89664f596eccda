//! What equal bytes are promised under, as one string.

use crate::Precision;

/// Torch version, device, precision, CPU kernel level, threads and batch shape: results of two evaluators are
/// equal bit for bit where this string and the weights are.
pub fn numerics(precision: Precision, batch_size: usize) -> String {
    format!(
        "torch {}, cpu, {precision}, {}, 1 thread, batch {batch_size}",
        torch_version(),
        kernel_level()
    )
}

/// The version of the libtorch this was built with.
pub const fn torch_version() -> &'static str {
    env!("MUSTER_TORCH_VERSION")
}

/// The processor features that libtorch and its libraries choose kernels by, and the variables that overrule
/// them.
pub fn kernel_level() -> String {
    let mut level = String::from(if is_x86_feature_detected!("avx512f") {
        "avx512"
    } else if is_x86_feature_detected!("avx2") {
        "avx2"
    } else {
        "sse"
    });
    for (name, is_there) in [
        ("vnni", is_x86_feature_detected!("avx512vnni")),
        ("bf16", is_x86_feature_detected!("avx512bf16")),
    ] {
        if is_there {
            level.push('+');
            level.push_str(name);
        }
    }
    for variable in ["ATEN_CPU_CAPABILITY", "ONEDNN_MAX_CPU_ISA", "MKL_ENABLE_INSTRUCTIONS"] {
        if let Ok(value) = std::env::var(variable) {
            level.push_str(&format!(" {variable}={value}"));
        }
    }
    level
}

/// One libtorch thread, for self-play and every other process that shares a machine: parallelism is games.
/// Call it before any tensor work.
pub fn use_one_thread() {
    use_threads(1);
}

/// The number of threads libtorch computes with. OpenMP threads spin: no more than the cores that are free.
pub fn use_threads(n_threads: usize) {
    tch::set_num_threads(n_threads.clamp(1, 1024) as i32);
    // libtorch accepts this once and only before its first parallel work; it panics through tch otherwise.
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        if tch::get_num_interop_threads() != 1 {
            tch::set_num_interop_threads(1);
        }
    });
}
