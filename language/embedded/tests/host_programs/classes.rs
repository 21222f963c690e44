//! Random C++ programs of classes: constructors with default arguments and lists of initializers,
//! copies, destructors that print, operators, static members, base classes, templates, bit fields,
//! enumerations, unions, and aggregates whose last members have no value.
//!
//! They have no undefined behavior and do not depend on an order that C++ leaves open: signed
//! results stay small or are computed in unsigned types, counts of shifts and indices are masked,
//! divisors are odd and positive, and an expression has at most one call with an effect.

use std::fmt::Write as _;
use test_support::random::Numbers;

const HEAD: &str = r"#include <stdio.h>
typedef unsigned int u32;
typedef unsigned long long u64;
static u64 digest = 1;
static void note(u64 x) { digest = digest * 1099511628211ull + x; }
enum Plain { P0, P1 = 7, P2 = -3 };
enum Large { L0 = 1, L1 = 0xfffffff0u };
union Bits { u64 whole; u32 half[2]; unsigned char byte[8]; };
template <class T> static T larger(const T &a, const T &b) { return a < b ? b : a; }
template <class T, int N> struct Row {
    T item[N];
    static int made;
    Row(T first = T(3)) { for (int i = 0; i < N; i++) item[i] = (T)(first + i); made++; }
    ~Row() { made--; note((u64)made); }
    static int living() { return made; }
    T &operator[](int i) { return item[(u32)i % N]; }
    const T &operator[](int i) const { return item[(u32)i % N]; }
    u64 sum() const { u64 s = 0; for (int i = 0; i < N; i++) s = s * 31 + (u64)item[i]; return s; }
    template <class U> U as(int i) const { return (U)(*this)[i]; }
};
template <class T, int N> int Row<T, N>::made = N - 1;
";

/// Types of members, and a suffix of their constants.
const TYPES: [&str; 11] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "char",
    "bool",
];

/// Types of bit fields, and their widths.
const FIELDS: [(&str, usize); 9] = [
    ("int", 32),
    ("unsigned", 32),
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("long long", 64),
    ("unsigned long long", 64),
    ("bool", 1),
];

/// A width of a bit field, but not of 33 to 63 bits: g++ computes with such a field in a type of
/// its width, which is an extension; in C++ it has its declared type, as in clang++ and here.
fn width(numbers: &mut Numbers, bits: usize) -> usize {
    let width = 1 + numbers.below(bits);
    if width > 32 { bits } else { width }
}

/// A number as a constant of type `unsigned long long`.
fn constant(numbers: &mut Numbers) -> String {
    format!("{}ull", numbers.bits() >> numbers.below(64))
}

/// A class with bit fields and members.
struct Class {
    /// Names of the members that a statement can read and write, and whether one is a bit field.
    members: Vec<(String, bool)>,
    has_base: bool,
}

/// A structure of bit fields, aggregate members and functions that read and write them.
fn fields(numbers: &mut Numbers, text: &mut String, at: usize) -> usize {
    let count = 2 + numbers.below(7);
    let _ = writeln!(text, "struct F{at} {{");
    for member in 0..count {
        let (ty, bits) = numbers.one_of(&FIELDS);
        let width = width(numbers, bits);
        match numbers.below(8) {
            0 => {
                let _ = writeln!(text, "{} m{member};", numbers.one_of(&TYPES));
            }
            1 => {
                let _ = writeln!(text, "{ty} : {}; {ty} m{member} : {width};", numbers.one_of(&[0, width]));
            }
            _ => {
                let _ = writeln!(text, "{ty} m{member} : {width};");
            }
        }
    }
    let _ = writeln!(text, "}};");
    count
}

/// Statements that change and print members of bit fields. The value of an assignment is used, too.
fn use_fields(numbers: &mut Numbers, text: &mut String, at: usize, count: usize) {
    let given = numbers.below(count + 1);
    // A constant that does not fit is an error in braces; 0 and 1 fit each unsigned field only.
    let values = vec!["0"; given].join(", ");
    let _ = writeln!(text, "{{ F{at} f = {{{values}}}, g[3] = {{}}; F{at} *p = &g[1]; F{at} &r = g[2];");
    for _ in 0..4 + numbers.below(12) {
        let (m, n) = (numbers.below(count), numbers.below(count));
        let (object, other) =
            (numbers.one_of(&["f.", "g[0].", "p->", "r."]), numbers.one_of(&["f.", "g[1].", "p->", "r."]));
        let value = constant(numbers);
        let operator = numbers.one_of(&["+", "^", "|", "&"]);
        let comparison = numbers.one_of(&["<", ">", "==", "!=", "<=", ">="]);
        let _ = match numbers.below(12) {
            0..=3 => writeln!(text, "{object}m{m} = {value};"),
            4 => writeln!(text, "{object}m{m} = {object}m{m} {operator} {value};"),
            5 => writeln!(text, "{object}m{m} {operator}= {value};"),
            6 => writeln!(text, "note((u64)({object}m{m} = {value}));"),
            7 => writeln!(text, "note({object}m{m} {comparison} {other}m{n});"),
            // A field that is narrower than `int` is promoted to `int`, also an unsigned one.
            8 => writeln!(text, "note(-1 {comparison} {object}m{m}); note(({object}m{m} & 1) - 2 < 0);"),
            9 => writeln!(text, "note((u64)({object}m{m} ? {object}m{m} : {other}m{n}));"),
            10 => writeln!(
                text,
                "note((u64)~{object}m{m}); note((u64)({object}m{m} >> 1)); note(!{object}m{m});"
            ),
            _ => writeln!(text, "f = g[{}]; g[{}] = f;", numbers.below(3), numbers.below(3)),
        };
    }
    for object in ["f", "g[0]", "g[1]", "g[2]"] {
        for member in 0..count {
            let _ = writeln!(text, "note((u64){object}.m{member});");
        }
    }
    let _ = writeln!(text, "printf(\"F{at} %d %llu\\n\", (int)sizeof(F{at}), digest); }}");
}

/// An aggregate with nested aggregates and arrays, and values for some of its members.
fn aggregate(numbers: &mut Numbers, text: &mut String, at: usize) -> String {
    let first = numbers.one_of(&TYPES);
    let (rows, length) = (1 + numbers.below(3), 1 + numbers.below(4));
    let inner = numbers.one_of(&["int", "unsigned char", "long", "short"]);
    let _ = writeln!(
        text,
        "struct A{at} {{ {first} a; struct In {{ {inner} x, y[{length}]; char name[6]; }} in[{rows}]; union {{ u32 u; \
         unsigned char c[4]; }}; Plain plain; Large large; int last; }};"
    );
    let small = |numbers: &mut Numbers| numbers.below(2).to_string();
    let mut list = vec![small(numbers)];
    for _ in 0..numbers.below(rows + 1) {
        let mut items = vec![small(numbers)];
        if numbers.below(3) > 0 {
            let some: Vec<String> = (0..numbers.below(length + 1)).map(|_| small(numbers)).collect();
            items.push(format!("{{{}}}", some.join(", ")));
            if numbers.below(2) == 0 {
                items.push(numbers.one_of(&["\"abc\"", "\"\"", "{'x', 'y'}", "\"12345\""]).to_owned());
            }
        }
        list.push(format!("{{{}}}", items.join(", ")));
    }
    if list.len() == 1 + rows && numbers.below(2) == 0 {
        list = vec![list[0].clone(), format!("{{{}}}", list[1..].join(", "))];
        if numbers.below(2) == 0 {
            list.push("{17}".to_owned());
            list.push("P2".to_owned());
            list.push("L1".to_owned());
        }
    } else if list.len() > 1 {
        list = vec![list[0].clone(), format!("{{{}}}", list[1..].join(", "))];
    }
    let values = format!("{{{}}}", list.join(", "));
    let dump = format!(
        "static void dump(const A{at} &a) {{\n\
         note((u64)a.a); note(a.u); note(a.c[1]); note((u64)a.plain); note(a.large); note((u64)a.last);\n\
         for (int i = 0; i < {rows}; i++) {{ note((u64)a.in[i].x); for (int j = 0; j < {length}; j++) note((u64)a.in[i].y[j]);\n\
         for (int j = 0; j < 6; j++) note((u64)a.in[i].name[j]); }}\n\
         printf(\"A{at} %d %llu\\n\", (int)sizeof(A{at}), digest);\n}}\n"
    );
    let of_static = numbers.one_of(&["static ", "static const ", ""]);
    let _ = writeln!(text, "{dump}{of_static}A{at} a{at}[2] = {{{values}}};");
    values
}

/// A class with constructors, copies, a destructor and operators.
fn class(numbers: &mut Numbers, text: &mut String, at: usize) -> Class {
    let count = 1 + numbers.below(4);
    let has_base = at > 0 && numbers.below(2) == 0;
    let mut members = Vec::new();
    let mut declared = String::new();
    for member in 0..count {
        let name = format!("c{at}m{member}");
        if numbers.below(3) == 0 {
            let (ty, bits) = numbers.one_of(&FIELDS);
            let _ = writeln!(declared, "{ty} {name} : {};", width(numbers, bits));
            members.push((name, true));
        } else {
            let _ = writeln!(declared, "{} {name};", numbers.one_of(&TYPES));
            members.push((name, false));
        }
    }
    let base = if has_base { format!(" : public C{}", at - 1) } else { String::new() };
    let _ = writeln!(text, "class C{at}{base} {{\npublic:\n{declared}static int count{at};\nint id{at};");
    let initialized: Vec<String> =
        members.iter().enumerate().map(|(index, (name, _))| format!("{name}((u64)x + {index})")).collect();
    let mut list = initialized;
    if has_base {
        list.insert(0, format!("C{}({})", at - 1, numbers.one_of(&["x", "x, 5", "(int)(x & 7)", ""])));
    }
    list.push(format!("id{at}(y)"));
    let explicit = numbers.one_of(&["", "explicit "]);
    let _ = writeln!(
        text,
        "{explicit}C{at}(int x = {}, int y = {}) : {} {{ count{at}++; }}",
        numbers.below(100),
        numbers.below(9),
        list.join(", ")
    );
    // The members that a copy does not name have their own initial values.
    let noisy = numbers.below(3);
    let sum: Vec<String> = members.iter().map(|(name, _)| format!("(u64){name}")).collect();
    if noisy > 0 {
        let base_copy = if has_base { format!("C{}(o), ", at - 1) } else { String::new() };
        let copies: Vec<String> = members.iter().map(|(name, _)| format!("{name}(o.{name})")).collect();
        let _ = writeln!(
            text,
            "C{at}(const C{at} &o) : {base_copy}{}, id{at}(o.id{at} + 1) {{ count{at}++; note({at}); }}",
            copies.join(", ")
        );
        let base_copy = match numbers.below(3) {
            _ if !has_base => String::new(),
            0 => format!("C{}::operator=(o); ", at - 1),
            1 => format!("this->C{}::operator=(o); ", at - 1),
            _ => format!("static_cast<C{} &>(*this) = o; ", at - 1),
        };
        let copies: Vec<String> = members.iter().map(|(name, _)| format!("{name} = o.{name}; ")).collect();
        let copies = copies.concat();
        let _ = writeln!(
            text,
            "C{at} &operator=(const C{at} &o) {{ if (this != &o) {{ {base_copy}{copies}note(77); }} return *this; }}"
        );
    }
    let loud = if noisy == 2 { format!("printf(\"~C{at} %d\\n\", id{at});") } else { String::new() };
    let _ = writeln!(text, "~C{at}() {{ count{at}--; note((u64)id{at}); {loud} }}");
    let parent = if has_base { format!("C{}::sum() * 3 + ", at - 1) } else { String::new() };
    let _ = writeln!(text, "u64 sum() const {{ return {parent}{}; }}", sum.join(" * 5 + "));
    let (first, _) = &members[0];
    let last = &members[members.len() - 1].0;
    let (c, d) = (constant(numbers), constant(numbers));
    let _ = writeln!(
        text,
        "C{at} &operator+=(const C{at} &o) {{ {first} = (u64){first} + o.sum(); return *this; }}\n\
         C{at} operator+(const C{at} &o) const {{ C{at} r(*this); r += o; return r; }}\n\
         C{at} operator-() const {{ C{at} r(3); r.{last} = {c} - sum(); return r; }}\n\
         C{at} &operator++() {{ {last} = (u64){last} + 1; return *this; }}\n\
         C{at} operator++(int) {{ C{at} old(*this); ++*this; return old; }}\n\
         bool operator==(const C{at} &o) const {{ return sum() == o.sum(); }}\n\
         bool operator<(const C{at} &o) const {{ return sum() < o.sum(); }}\n\
         u64 operator()(u32 x) const {{ return sum() ^ (x * {d}); }}\n\
         operator u64() const {{ return sum(); }}\n\
         u64 over(int x) const {{ return sum() + (u64)x; }}\n\
         u64 over(unsigned char x) const {{ return sum() - x; }}\n\
         u64 over(double x) const {{ return sum() ^ (u64)(x * 4); }}\n\
         u64 over(const C{at} &o) const {{ return o.sum() * 3; }}\n\
         static int living() {{ return count{at}; }}\n}};\nint C{at}::count{at} = 0;"
    );
    let _ = writeln!(
        text,
        "static C{at} made{at}(int x) {{ C{at} r(x, 2); if (x & 1) return r; r += r; return r; }}\n\
         static u64 by_value{at}(C{at} c) {{ ++c; return c.sum(); }}\n\
         static C{at} &chosen{at}(C{at} &a, C{at} &b, bool first) {{ return first ? a : b; }}"
    );
    Class { members, has_base }
}

/// Statements with objects of a class.
fn use_class(numbers: &mut Numbers, text: &mut String, at: usize, class: &Class) {
    let _ = writeln!(
        text,
        "{{ C{at} a, b({}), c[2] = {{C{at}({}), C{at}(1, 2)}}; C{at} *p = new C{at}(9); C{at} &r = c[1];",
        numbers.below(1000),
        numbers.below(1000)
    );
    let objects = ["a", "b", "c[0]", "c[1]", "(*p)", "r"];
    for _ in 0..4 + numbers.below(10) {
        let (x, y) = (numbers.one_of(&objects), numbers.one_of(&objects));
        let member = &class.members[numbers.below(class.members.len())];
        let value = constant(numbers);
        let _ = match numbers.below(18) {
            0 => writeln!(text, "{x} = {y};"),
            1 => writeln!(text, "{x} += {y};"),
            2 => writeln!(text, "note(({x} + {y}).sum());"),
            3 => writeln!(text, "note((-{x}).sum());"),
            4 => writeln!(text, "++{x};"),
            5 => writeln!(text, "note({x}++.sum());"),
            6 => writeln!(text, "note({x} == {y}); note({x} < {y});"),
            7 => writeln!(text, "note({x}({}));", numbers.below(1000)),
            8 => writeln!(text, "{x}.{} = {value};", member.0),
            9 => writeln!(text, "note((u64)({x}.{} = {value}));", member.0),
            10 => writeln!(text, "note(by_value{at}({x}));"),
            11 => writeln!(text, "chosen{at}({x}, {y}, {x}.sum() & 1) = made{at}({});", numbers.below(50)),
            12 => writeln!(
                text,
                "note({x}.over(3)); note({x}.over((unsigned char)200)); note({x}.over(2.5)); note({x}.over({y}));"
            ),
            13 => writeln!(
                text,
                "for (int i = 0; i < 3; i++) {{ C{at} t(i); {x} += t; if (i == 1) continue; note(t.sum()); }}"
            ),
            14 => writeln!(text, "{{ C{at} t = made{at}({}); {x} = t; }}", numbers.below(50)),
            15 => writeln!(text, "note(larger({x}, {y}).sum()); note(larger((u64){x}, (u64){y}));"),
            16 if class.has_base => {
                let base = at - 1;
                writeln!(
                    text,
                    "{{ C{base} &up = {x}; note(up.sum()); C{base} cut = {x}; note(cut.sum()); ++up; }}"
                )
            }
            _ => writeln!(text, "{{ const C{at} &k = {x}; note(k.sum() + (u64)C{at}::living()); }}"),
        };
    }
    let _ = writeln!(
        text,
        "delete p;\nnote(a.sum()); note(b.sum()); note(c[0].sum()); note(r.sum());\n\
         printf(\"C{at} %d %d %llu\\n\", (int)sizeof(C{at}), C{at}::living(), digest); }}\n\
         printf(\"C{at} %d %llu\\n\", C{at}::living(), digest);"
    );
}

/// Statements with an instance of the class template.
fn use_row(numbers: &mut Numbers, text: &mut String) {
    let ty = numbers.one_of(&["int", "unsigned char", "short", "u64", "signed char", "unsigned short"]);
    let (length, first) = (1 + numbers.below(6), numbers.below(100));
    let (at, value, to) = (numbers.below(10), constant(numbers), numbers.one_of(&TYPES));
    let _ = writeln!(
        text,
        "{{ Row<{ty}, {length}> q({first}), w; q[{at}] = ({ty}){value}; w = q; w[1] += 3; const Row<{ty}, {length}> k = w;\n\
         note(k.sum()); note(q.sum()); note((u64)k.template as<{to}>({at})); note((u64)larger<{ty}>(q[0], w[1]));\n\
         printf(\"row %d %d %llu\\n\", Row<{ty}, {length}>::living(), Row<{ty}, {length}>::made, digest); }}"
    );
}

/// Arithmetic of mixed types: the conversions and promotions of the standard.
fn use_numbers(numbers: &mut Numbers, text: &mut String) {
    let _ = writeln!(text, "{{");
    for at in 0..4 {
        let _ = writeln!(
            text,
            "{} v{at} = ({0}){};",
            numbers.one_of(&["signed char", "unsigned char", "short", "unsigned short", "char"]),
            constant(numbers)
        );
    }
    let _ = writeln!(
        text,
        "u32 w = {}; u64 z = {}; Bits bits; bits.whole = z; Plain plain = P2; Large large = L1;",
        numbers.bits() as u32,
        constant(numbers)
    );
    for _ in 0..6 {
        let small = |numbers: &mut Numbers| format!("v{}", numbers.below(4));
        let (x, y) = (small(numbers), small(numbers));
        let comparison = numbers.one_of(&["<", ">", "==", "<=", ">="]);
        let _ = match numbers.below(10) {
            // Operands of at most 16 bits: no sum and no product of signed ones overflows.
            0 => writeln!(
                text,
                "note((u64)({x} + {y})); note((u64)({x} - {y})); note((u64)(({x} >> 3) * ({y} >> 3)));"
            ),
            1 => writeln!(
                text,
                "note({x} {comparison} {y}); note({x} {comparison} w); note((int){x} {comparison} -1);"
            ),
            2 => writeln!(text, "note((u64)({x} / (({y} & 6) | 1))); note((u64)({x} % (({y} & 6) | 1)));"),
            3 => writeln!(text, "{x} += {y}; {x} ^= w; note((u64){x});"),
            4 => writeln!(text, "w = w * 3 + {x}; z ^= w; z += {x}; note(w + z);"),
            5 => writeln!(
                text,
                "bits.byte[{}] ^= {x}; note(bits.whole); note(bits.half[w & 1]);",
                numbers.below(8)
            ),
            6 => writeln!(
                text,
                "note(plain {comparison} {x}); note((u64)plain); note(large {comparison} w); plain = P1;"
            ),
            7 => writeln!(
                text,
                "note((u64)({x} ? {y} : w)); note((u64)(-{x})); note((u64)(~{y})); note((u64)+{x});"
            ),
            8 => writeln!(
                text,
                "note((u64)(w >> ({x} & 31))); note((u64)(w << ({x} & 31))); note((u64){x} << ({y} & 63));"
            ),
            _ => writeln!(
                text,
                "note((u64)(long)((double){x} * 0.25 + {y})); {x}++; note((u64){x}); note((u64){y}--);"
            ),
        };
    }
    let _ = writeln!(text, "printf(\"numbers %llu\\n\", digest); }}");
}

/// A program; it prints digests of its objects.
pub fn program(seed: u64) -> String {
    let numbers = &mut Numbers::new(seed);
    let mut text = HEAD.to_owned();
    let mut body = String::new();
    for at in 0..=numbers.below(3) {
        let count = fields(numbers, &mut text, at);
        use_fields(numbers, &mut body, at, count);
    }
    for at in 0..=numbers.below(2) {
        let values = aggregate(numbers, &mut text, at);
        let _ = writeln!(
            body,
            "{{ A{at} local = {values}; dump(local); dump(a{at}[0]); dump(a{at}[1]); A{at} copy = local;"
        );
        let _ = writeln!(
            body,
            "copy.in[0].y[0] = {}; copy.c[2] = 9; dump(copy); local = copy; dump(local); }}",
            numbers.below(100)
        );
    }
    for at in 0..=numbers.below(3) {
        let class = class(numbers, &mut text, at);
        use_class(numbers, &mut body, at, &class);
        if numbers.below(2) == 0 {
            let _ = writeln!(text, "static C{at} global{at}({});", numbers.below(100));
            let _ = writeln!(body, "note(global{at}.sum());");
        }
    }
    for _ in 0..2 {
        use_row(numbers, &mut body);
        use_numbers(numbers, &mut body);
    }
    text + "int main() {\n" + &body + "printf(\"end %llu\\n\", digest);\nreturn 0;\n}\n"
}
