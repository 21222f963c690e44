//! Random expressions.

use super::generate::{Generator, INTS};

impl Generator {
    pub fn int_variable(&mut self) -> String {
        self.pick(&INTS).to_owned()
    }

    pub fn unsigned_variable(&mut self) -> String {
        self.pick(&["u0", "u1", "u2"]).to_owned()
    }

    pub fn constant(&mut self) -> String {
        let special = ["0", "1", "-1", "2", "7", "8", "31", "255", "0x7fff", "-128", "1000003", "0x7fffffff"];
        match self.numbers.below(3) {
            0 => self.pick(&special).to_owned(),
            1 => (self.numbers.within(-100..100)).to_string(),
            _ => (self.numbers.bits() as i32 >> self.numbers.within(1..30)).to_string(),
        }
    }

    /// An `int` of any value.
    pub fn int(&mut self, depth: usize) -> String {
        if depth == 0 {
            let counter = self.counters.last().cloned();
            return match self.numbers.below(12) {
                0 | 1 => format!("({})", self.constant()),
                2 | 3 if counter.is_some() => counter.unwrap_or_default(),
                4 if !self.helper => {
                    self.pick(&["(int)c0", "(int)s0", "(int)b0", "st.a", "(int)st.c", "(int)st.d"]).to_owned()
                }
                5 if !self.helper => format!("arr[{} & 7]", self.int_variable()),
                6 if !self.helper => format!("shared[base + ({} & 3)]", self.int_variable()),
                7 if !self.helper => format!("st.g[{} % 3u]", self.unsigned_variable()),
                _ => self.int_variable(),
            };
        }
        let d = depth - 1;
        match self.numbers.below(20) {
            0 | 1 => format!("(({} & 1023) + ({} & 4095))", self.int(d), self.int(d)),
            2 => format!(
                "(({} & 1023) * {} - ({} & 511))",
                self.int(d),
                self.numbers.within(-9..20),
                self.int(d)
            ),
            3 => format!("(int)((unsigned){} + (unsigned){})", self.int(d), self.int(d)),
            4 => format!("(int)((unsigned){} * (unsigned){})", self.int(d), self.int(d)),
            5 => format!("({} {} {})", self.int(d), self.pick(&["&", "|", "^"]), self.int(d)),
            6 => format!("({} >> ({} & 31))", self.int(d), self.int(d)),
            7 => {
                let divisor =
                    self.pick(&["2", "3", "4", "5", "7", "10", "16", "-3", "-8", "100", "641", "1000000007"]);
                format!("({} {} {divisor})", self.int(d), self.pick(&["/", "%"]))
            }
            8 => format!("({} {} (({} & 15) + 1))", self.int(d), self.pick(&["/", "%"]), self.int(d)),
            9 => format!("({} ? {} : {})", self.condition(d), self.int(d), self.int(d)),
            10 => format!("(int){}", self.unsigned(d)),
            11 => format!(
                "(int)({})({})",
                self.pick(&["signed char", "short", "unsigned char", "unsigned short"]),
                self.int(d)
            ),
            12 => format!("({})", self.condition(d)),
            13 => format!("~{}", self.int(d)),
            14 if !self.helper => format!("(int){}", self.float()),
            15 if !self.helper => {
                format!("(int)({} >> {})", self.pick(&["l0", "l1"]), self.numbers.below(40))
            }
            16 => format!("{}({}, {})", self.pick(&["min", "max"]), self.int(d), self.int(d)),
            17 if !self.helper && self.helpers > 0 => {
                // The result and the written variable are evaluated in one statement only.
                format!("({} - 1)", self.numbers.below(50))
            }
            _ => self.int(0),
        }
    }

    pub fn unsigned(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.numbers.below(4) {
                0 => format!("{}u", self.numbers.bits() as u32 >> self.numbers.below(30)),
                1 => format!("(unsigned){}", self.int(0)),
                _ => self.unsigned_variable(),
            };
        }
        let d = depth - 1;
        match self.numbers.below(8) {
            0 | 1 => format!(
                "({} {} {})",
                self.unsigned(d),
                self.pick(&["+", "-", "*", "^", "&", "|"]),
                self.unsigned(d)
            ),
            2 => format!("({} << ({} & 31))", self.unsigned(d), self.int(d)),
            3 => format!("({} >> ({} & 31))", self.unsigned(d), self.int(d)),
            4 => format!(
                "({} {} {}u)",
                self.unsigned(d),
                self.pick(&["/", "%"]),
                self.pick(&[2, 3, 5, 7, 8, 10, 13, 255, 65_536, 641])
            ),
            5 => format!("({} {} ({} | 1u))", self.unsigned(d), self.pick(&["/", "%"]), self.unsigned(d)),
            6 => format!("(unsigned){}", self.int(d)),
            _ => self.unsigned(0),
        }
    }

    /// A float between -2^22 and 2^22 without a fraction.
    pub fn float(&mut self) -> String {
        match self.numbers.below(5) {
            0 => format!("(float)({} & 2047)", self.int_variable()),
            1 => "f0".to_owned(),
            2 => format!(
                "((float)({} & 255) * (float)({} & 255) + (float)({} & 63))",
                self.int_variable(),
                self.int_variable(),
                self.int_variable()
            ),
            3 => format!("((float)({} & 1023) - f1)", self.int_variable()),
            _ => format!("(f1 < {}.0f ? f1 : f0)", self.numbers.within(-20..300)),
        }
    }

    pub fn condition(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        let compare = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
        match self.numbers.below(8) {
            0 | 1 => format!("({} {compare} {})", self.int(d), self.int(d)),
            2 => format!("({} {compare} {})", self.unsigned(d), self.unsigned(d)),
            3 if depth > 0 => format!("({} && {})", self.condition(d), self.condition(d)),
            4 if depth > 0 => format!("({} || {})", self.condition(d), self.condition(d)),
            5 if depth > 0 => format!("(!{})", self.condition(d)),
            6 if !self.helper => format!("({} {compare} {})", self.float(), self.float()),
            _ => format!("(({} & {}) != 0)", self.int(d), self.numbers.within(1..9)),
        }
    }
}
