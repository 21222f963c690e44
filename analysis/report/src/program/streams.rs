//! The standard streams of a program with host code: a door, or a test, says where they lead.

/// The standard streams of a program.
pub trait Streams {
    /// Bytes of standard output.
    fn print(&mut self, bytes: &[u8]);

    /// Bytes of standard error.
    fn complain(&mut self, bytes: &[u8]);

    /// Returns the next part of standard input, when the program needs it: empty at the end of the
    /// input, `None` if the user interrupts the program meanwhile.
    fn input(&mut self) -> Option<Vec<u8>>;

    /// Whether a user reads standard output while the program prints it, as on a terminal.
    fn is_terminal(&self) -> bool {
        false
    }
}
