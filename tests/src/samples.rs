//! An instruction for every name in the table of forms, with operands of the right types: for tests
//! that apply to every form.

use isa::Options;
use isa::ptx::forms::Description;
use isa::types::ScalarType;
use isa::uop::Program;
use std::sync::Arc;

/// Headers to try; at least one supports the form.
const HEADERS: [(&str, u32); 9] = [
    ("1.3", 10),
    ("1.4", 10),
    ("1.4", 11),
    ("1.4", 12),
    ("1.3", 13),
    ("1.4", 13),
    ("2.3", 20),
    ("3.2", 20),
    ("6.2", 60),
];

/// Functions to call: with and without results and arguments.
const FUNCTIONS: &str = ".func f { ret; }\n.func fl (.reg .b32 a) { ret; }\n.func (.reg .b32 r) rf { mov.b32 r, 1; ret; }\n\
                         .func (.reg .b32 r) rfl (.reg .b32 a) { mov.b32 r, a; ret; }\n";

/// Prototypes for indirect calls.
const PROTOTYPES: &str = "Pf: .callprototype _ ();\nPfl: .callprototype _ (.param .b32 _);\nPrf: .callprototype (.param .b32 _) _ ();\n\
                          Prfl: .callprototype (.param .b32 _) _ (.param .b32 _);\n";

/// No fusing and no removal of instructions.
const AS_WRITTEN: Options = Options::PLAIN;

/// Returns the lowered code of one spelling of a form, in a kernel without other instructions.
pub fn lowered(form: &Description, spelling: &str) -> Result<Arc<Program>, String> {
    let text = instruction(form, spelling);
    let functions = if form.name() == "call" { FUNCTIONS } else { "" };
    let places = form.operands();
    let prototypes = if places.contains(&"g") { PROTOTYPES } else { "" };
    let mut complaint = String::new();
    for (version, sm) in HEADERS.iter().filter(|(_, sm)| *sm >= form.sm) {
        let declared = match (form.name(), *version) {
            ("tex" | "txq", "1.3" | "1.4") => ".tex .u32 t;\n",
            ("tex" | "txq", _) => ".global .texref t;\n",
            ("suld" | "sust" | "suq", _) => ".global .surfref s;\n",
            _ => "",
        };
        let separate = places.contains(&"[t,s,{c}]");
        let (options, sampler) =
            if separate { (", texmode_independent", ".global .samplerref z;\n") } else { ("", "") };
        // Before PTX 1.4 the parameters of a kernel were declared in its body.
        let param = ".param .align 16 .b8 n[64]";
        let (listed, inside) = if *version < "1.4" {
            (String::new(), format!("{param};"))
        } else {
            (format!("({param})"), String::new())
        };
        let module = format!(
            ".version {version}\n.target sm_{sm}{options}\n{declared}{sampler}{functions}.entry k{listed}\n{{\n{inside}\n.reg .b8 %b<9>; .reg .b16 \
             %h<9>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<9>;\n\
             .param .align 16 .b8 passed[64];\n{prototypes}{text}\nL: exit;\n}}\n"
        );
        match isa::compile_with("k.ptx", &module, AS_WRITTEN) {
            (Some(module), _) => return Ok(module.entries[0].clone()),
            (None, diagnostics) => {
                complaint =
                    diagnostics.iter().find(|d| d.is_error()).map_or(String::new(), |d| d.message.clone());
            }
        }
    }
    Err(format!("`{text}`: {complaint}"))
}

/// Returns a form's instruction with that name, with a semicolon.
pub fn instruction(form: &Description, spelling: &str) -> String {
    let name = Name::of(spelling);
    let places = form.operands();
    // Functions are named after their results and arguments.
    let letter = |operand: &str, letter| if places.contains(&operand) { letter } else { "" };
    let function = format!("{}f{}", letter("(r)", "r"), letter("(l)", "l"));
    let operand = |(i, operand): (usize, &&str)| match *operand {
        "f" if places.contains(&"g") => "%r8".to_owned(),
        "f" => function.clone(),
        "g" => format!("P{function}"),
        operand => name.operand(operand, i),
    };
    let operands: Vec<String> = places.iter().enumerate().map(operand).collect();
    format!("{spelling} {};", operands.join(", "))
}

/// Information in a name about its operands.
struct Name<'a> {
    words: Vec<&'a str>,
    /// Types, at most two: the result's first.
    types: Vec<ScalarType>,
}

impl<'a> Name<'a> {
    fn of(spelling: &'a str) -> Self {
        let words: Vec<&str> = spelling.split('.').collect();
        let types = words[1..].iter().filter_map(|word| ScalarType::from_name(word)).collect();
        Self { words, types }
    }

    fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// Bytes of the operand with index `i`, 0 for a predicate.
    fn bytes(&self, i: usize) -> u32 {
        let first = self.types.first().map_or(4, |ty| ty.bytes());
        let last = self.types.last().map_or(4, |ty| ty.bytes());
        match (self.words[0], i) {
            ("mul" | "mad", 0 | 3) if self.has("wide") => 2 * first,
            ("popc" | "clz" | "bfind", 0) | ("shl" | "shr" | "vote", 2) | ("bfe", 2 | 3) | ("bfi", 3 | 4) => {
                4
            }
            ("slct", 1 | 2) | (_, 0) => first,
            _ => last,
        }
    }

    fn operand(&self, operand: &str, i: usize) -> String {
        let elements = if self.has("v4") { 4 } else { 1 + usize::from(self.has("v2")) };
        match operand {
            "p" => format!("%p{}", i + 1),
            "{!}q" | "{!}r" => format!("!%p{}", i + 1),
            "p|q" => "%p1|%p2".to_owned(),
            "{!}c" => "!%p3".to_owned(),
            "d|p" => "%r1|%p2".to_owned(),
            "i" => "150".to_owned(),
            "[a]" if self.has("param") && self.words[0] == "st" => "[passed]".to_owned(),
            "[a]" if self.has("param") => "[n]".to_owned(),
            "[a]" => "[%r8]".to_owned(),
            "[t]" => "[t]".to_owned(),
            "[t,{c}]" => format!("[t, {}]", list(4, 4)),
            "[t,s,{c}]" => format!("[t, z, {}]", list(4, 4)),
            "[s]" => "[s]".to_owned(),
            "[s,{c}]" => {
                let two = self.has("2d") || self.has("a1d");
                let coordinates = if self.has("1d") {
                    1
                } else if two {
                    2
                } else {
                    4
                };
                format!("[s, {}]", list(coordinates, 4))
            }
            "(r)" => "(%r1)".to_owned(),
            "(l)" => "(%r2)".to_owned(),
            "n" => "0".to_owned(),
            "n|u" => "1".to_owned(),
            "k" => "7".to_owned(),
            "m" => "64".to_owned(),
            "t" => "L".to_owned(),
            "{v}" => list(2, self.bytes(i) / 2),
            "d" | "b" if elements > 1 => list(elements, self.bytes(i)),
            "b" if self.has("sync") => "%r8".to_owned(),
            _ if self.types.first() == Some(&ScalarType::Pred) => format!("%p{}", i + 1),
            _ => format!("{}{}", file(self.bytes(i)), i + 1),
        }
    }
}

/// Returns the register prefix for a size.
fn file(bytes: u32) -> &'static str {
    match bytes {
        1 => "%b",
        2 => "%h",
        8 => "%d",
        _ => "%r",
    }
}

fn list(elements: usize, bytes: u32) -> String {
    let registers: Vec<String> = (1..=elements).map(|i| format!("{}{i}", file(bytes))).collect();
    format!("{{{}}}", registers.join(", "))
}
