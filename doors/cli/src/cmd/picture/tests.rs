//! All kinds of pictures of several kernels and chips, and the places of their texts, which
//! `Targets::write` compares when it is compiled for tests.

use crate::args::{Args, Command};
use crate::exit::Code;
use clap::Parser;
use std::fs;

/// Draws a picture, and returns it as SVG.
fn drawn(arguments: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("x.svg");
    let line = format!("warpsim picture {arguments} --svg");
    let words = line.split_whitespace().chain([file.to_str().expect("UTF-8")]);
    let Command::Picture(args) = Args::try_parse_from(words).expect("good").command else {
        panic!("it says picture")
    };
    let code = super::run(&args).unwrap_or_else(|failure| panic!("{arguments}: {}", failure.message));
    assert_eq!(code, Code::Fine, "{arguments}");
    fs::read_to_string(file).expect("written")
}

/// Tests: `pictures-are-legible`.
#[test]
fn texts_of_all_pictures_have_their_space() {
    for (arguments, parts) in [
        ("stalls matmul-naive --chip g80 --size 32", ["memory dependency", "GeForce 8800 GTX (g80)"]),
        ("stalls reduce-repeated --size 3000 --chip fermi --top 40", ["launch 1 of 2", "barrier"]),
        ("stalls cutoff-small-bin --size 8 --chip gt200", ["GeForce GTX 280", "share of the time"]),
        ("roofline matmul-naive --chip g80 --size 32", ["peak bandwidth: 86.4 GB/s", "GFLOP/s at"]),
        ("roofline matmul-tiled --with matmul-naive --with vecadd --size 64 --chip fermi", ["vecadd", "64"]),
        ("occupancy matmul-tiled --chip g80", ["10 here", "registers per thread"]),
        ("occupancy mri-fhd-tuned --chip fermi", ["limited by", "shared memory per block (bytes)"]),
        ("occupancy --block 512 --regs 16 --shared 9000 --chip 1.3", ["512 here", "9,000 here"]),
        ("occupancy --block 128 --dynamic-shared 60000 --chip 8.0 --opt-in", ["128 here", "60,000 here"]),
        ("timeline vecadd --chip g80 --size 4096 --cycles 0..5000", ["warp 7", "block 0"]),
        ("timeline matmul-tiled --size 512 --chip fermi --cycles 1000..1200", ["warp 0", "1,100"]),
        ("timeline matmul-single --chip g80 --size 5", ["warp 0", "shader cycle"]),
        ("streams reduce-repeated --chip g80 --size 3000", ["launch call", "default stream"]),
        (
            "streams ../../kernels/ptx/vecadd.ptx --launch ../../kernels/launch/vecadd_streams.ron --chip c2050",
            ["stream 4", "copy to the host"],
        ),
        ("segments vecadd --size 64", ["2 transactions", "GeForce GTX 480 (fermi)"]),
        ("segments block-transpose --size 16 --chips c1060,gtx460", ["line ", "Tesla C1060"]),
        ("segments mri-fhd-global --size 4 --chips g80,fermi,8800gt", ["transferred", "(8800gt)"]),
        ("tree reduce-halving --chip g80 --size 512", ["step 9", "8 of 16"]),
        ("tree reduce-pairs --size 600 --chip fermi", ["step 1", "elements"]),
        ("tree dot-product --size 2 --chip gt200", ["active thread", "threads"]),
        ("figure 6.16 --size 64", ["unrolled and prefetching", "rate (GFLOP/s)"]),
        ("figure 8.20 --size 4 --chip fx5600", ["SFU sines", "4³ voxels"]),
        ("figure 9.10 --size 64", ["v3: eight points, coalesced", "64 × 64"]),
        ("figure 10.3 --size 12", ["direct summation", "volume of the map"]),
        ("latency --chip g80", ["published", "footprint"]),
    ] {
        let svg = drawn(arguments);
        for part in parts {
            assert!(svg.contains(part), "{arguments}: {part} is missing");
        }
    }
}
