//! The program `warpsim`. It is a crate apart from the library so that the compiler works on the
//! command line while it still optimizes the crates below.

fn main() -> std::process::ExitCode {
    warpsim::main()
}
