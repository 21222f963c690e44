//! The budget of a compilation: what each half of a program may use. A program that needs more is
//! refused with one error, which names the line and the limit.

/// What a budget counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// Tokens of all files, and tokens that macros make.
    Tokens,
    /// Bytes of included files, of texts that macros make, and of initial values.
    Bytes,
    /// Files that are included.
    Files,
    /// Classes.
    Classes,
    /// Functions, with those that templates make.
    Functions,
    /// Expressions after templates, constructors and initial values are written out.
    Expressions,
    /// Steps that look for overloads and specializations, and that evaluate constants.
    Steps,
    /// Instructions before they are optimized.
    Instructions,
}

impl Resource {
    const ALL: usize = 8;

    /// The limit, and its unit.
    const fn limit(self) -> (u64, &'static str) {
        match self {
            Self::Tokens => (1_000_000, "tokens"),
            Self::Bytes => (64 << 20, "bytes of text and initial values"),
            Self::Files => (10_000, "included files"),
            Self::Classes => (20_000, "classes"),
            Self::Functions => (20_000, "functions"),
            Self::Expressions => (2_000_000, "expressions"),
            Self::Steps => (4_000_000, "steps of the compiler"),
            Self::Instructions => (500_000, "instructions"),
        }
    }
}

/// What a compilation has used.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    spent: [u64; Resource::ALL],
}

impl Budget {
    /// Uses some of a resource.
    ///
    /// # Errors
    ///
    /// The message, if the limit is exceeded.
    pub fn spend(&mut self, what: Resource, amount: usize) -> Result<(), String> {
        let spent = &mut self.spent[what as usize];
        *spent = spent.saturating_add(amount as u64);
        let (limit, unit) = what.limit();
        if *spent <= limit {
            return Ok(());
        }
        Err(format!("the program needs more than {} {unit}", grouped(limit)))
    }
}

/// A number with a comma behind each three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
