//! Compiles the `.proto` files without a `protoc`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=proto");
    let descriptors = protox::compile(["muster/v1/coordinator.proto"], ["proto"])?;
    // A job carries the deal secret: its `Debug` is written by hand.
    tonic_prost_build::configure().skip_debug(["muster.v1.Job"]).compile_fds(descriptors)?;
    Ok(())
}
