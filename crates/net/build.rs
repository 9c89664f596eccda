//! Test binaries find libtorch by rpath, and the network's `numerics` name its version.

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let mut version = String::from("unknown");
    if let Some(lib) = std::env::var_os("DEP_TCH_LIBTORCH_LIB") {
        let lib = Path::new(&lib);
        println!("cargo:rustc-link-arg=-Wl,-rpath={}", lib.display());
        let header = lib.with_file_name("include").join("torch/headeronly/version.h");
        println!("cargo:rerun-if-changed={}", header.display());
        if let Some(found) = std::fs::read_to_string(&header).ok().and_then(|text| torch(&text)) {
            version = found;
        }
    }
    println!("cargo:rustc-link-arg=-Wl,--no-as-needed");
    println!("cargo:rustc-link-arg=-ltorch");
    println!("cargo:rustc-env=MUSTER_TORCH_VERSION={version}");
}

/// `2.13.0` from the header's three macros.
fn torch(header: &str) -> Option<String> {
    let number = |name: &str| {
        header.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            (words.next() == Some("#define") && words.next() == Some(name))
                .then(|| words.next().map(str::to_owned))
                .flatten()
        })
    };
    Some(format!(
        "{}.{}.{}",
        number("TORCH_VERSION_MAJOR")?,
        number("TORCH_VERSION_MINOR")?,
        number("TORCH_VERSION_PATCH")?
    ))
}
