//! The library compiles with every module, has the lines of its declarations, and rejects other
//! declarations.

use super::*;
use crate::uop::Module;
use crate::{Options, compile_with};

/// Declarations of all functions with addresses of `bits` bits.
fn declarations(bits: u32) -> String {
    format!(
        ".extern .func (.param .b32 r) vprintf (.param .b{bits} f, .param .b{bits} a);\n\
         .extern .func __assertfail (.param .b{bits} m, .param .b{bits} f, .param .b32 l, .param .b{bits} n, .param .b{bits} c);\n\
         .extern .func (.param .b{bits} r) malloc (.param .b{bits} n);\n\
         .extern .func free (.param .b{bits} p);\n"
    )
}

fn compiled(header: &str, declarations: &str, body: &str, options: Options) -> Result<Module, String> {
    let text = format!("{header}\n{declarations}.entry k\n{{\n{body}\n}}\n");
    let (module, diagnostics) = compile_with("k.ptx", &text, options);
    module.ok_or_else(|| crate::diag::render_all(&diagnostics, "k.ptx", &text))
}

/// Calls all functions.
fn calls(bits: u32) -> String {
    format!(
        ".reg .b{bits} %a; .reg .b32 %r; mov.u{bits} %a, 0;\n\
         .param .b{bits} p; .param .b{bits} q; .param .b32 n; .param .b32 r; .param .b{bits} s;\n\
         st.param.b{bits} [p], %a; st.param.b{bits} [q], %a; st.param.b32 [n], 1;\n\
         call (r), vprintf, (p, q);\ncall __assertfail, (p, q, n, p, q);\n\
         call (s), malloc, (p);\ncall free, (s);"
    )
}

/// Tests: `device-library`.
#[test]
fn the_library_compiles_under_every_header_with_its_functions() {
    for header in
        [".version 2.0\n.target sm_20", ".version 2.3\n.target sm_21", ".version 3.2\n.target sm_20"]
    {
        for bits in [32, 64] {
            for options in [Options::default(), Options::PLAIN] {
                let module = compiled(header, &declarations(bits), &calls(bits), options).unwrap();
                let names: Vec<&str> = module.globals.iter().map(|symbol| &*symbol.name).collect();
                assert_eq!(names, [PRINTF, "__warpsim_assertion", HEAP]);
            }
        }
    }
}

#[test]
fn code_of_the_library_has_the_line_of_its_declaration() {
    let module = compiled(".version 2.0\n.target sm_20", &declarations(64), &calls(64), Options::default());
    let program = module.unwrap().entries[0].clone();
    for (name, line) in
        [("vprintf", 3), ("__assertfail", 4), ("malloc", 5), ("free", 6), ("__warpsim_put", 3)]
    {
        let function = program.functions.iter().find(|function| function.name == name).expect(name);
        for pc in function.start..function.end {
            assert_eq!(program.lines[pc as usize], line, "{name}");
        }
    }
}

#[test]
fn only_the_functions_that_a_module_declares_are_added() {
    let text = ".extern .func (.param .b64 r) malloc (.param .b64 n);\n";
    let module = compiled(".version 2.0\n.target sm_20", text, "exit;", Options::default()).unwrap();
    let names: Vec<&str> = module.globals.iter().map(|symbol| &*symbol.name).collect();
    assert_eq!(names, [HEAP]);
    // A function with a body is the module's own.
    let text = ".func (.param .b64 r) malloc (.param .b64 n) { ret; }\n";
    let module = compiled(".version 2.0\n.target sm_20", text, "exit;", Options::default()).unwrap();
    assert!(module.globals.is_empty());
}

#[test]
fn other_parameters_than_those_of_cuda_are_rejected() {
    for text in [
        ".extern .func (.param .b64 r) malloc (.param .b32 n);\n",
        ".extern .func vprintf (.param .b64 f, .param .b64 a);\n",
        ".extern .func (.param .b32 r) vprintf (.param .b64 f);\n",
        ".extern .func free (.param .b64 p[2]);\n",
    ] {
        let found = compiled(".version 2.0\n.target sm_20", text, "exit;", Options::default()).unwrap_err();
        assert!(found.contains("error[E0313]: conflicting declarations of `"), "{found}");
        assert!(found.contains("--> k.ptx:3:9") && found.contains("help: declare"), "{found}");
    }
}

#[test]
fn on_older_targets_the_functions_need_a_newer_chip() {
    let text = ".extern .func (.reg .b32 r) malloc (.reg .b32 n);\n";
    let body = ".reg .b32 %x;\nmov.b32 %x, 4;\ncall (%x), malloc, (%x);\nexit;";
    let found = compiled(".version 1.4\n.target sm_13", text, body, Options::default()).unwrap_err();
    assert!(found.contains("`malloc` in a kernel requires compute capability 2.0"), "{found}");
    assert!(found.contains("such as `--chip fermi`"), "{found}");
}
