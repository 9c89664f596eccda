//! The binary finds libtorch by rpath and names it among its needed libraries: tch's own build script does this
//! for its examples only.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if let Some(lib) = std::env::var_os("DEP_TCH_LIBTORCH_LIB") {
        println!("cargo:rustc-link-arg=-Wl,-rpath={}", lib.to_string_lossy());
    }
    println!("cargo:rustc-link-arg=-Wl,--no-as-needed");
    println!("cargo:rustc-link-arg=-ltorch");
}
