//! The program `warpcc`.

fn main() -> std::process::ExitCode {
    warpcc::main()
}
