//! The types of the documents for the scripts of pages, `doors/web/src/types.ts`.

use crate::stepper::{Step, Stepped};
use sim_core::config::builtin::DEFAULT_CHIP;
use std::collections::BTreeMap;
use std::path::Path;
use ts_rs::{Config, TS, TypeVisitor};

/// First lines of the file.
const HEAD: &str = "\
// Documents of the engine, generated from its types by lab/src/types.rs:
// `BLESS=1 cargo test -p lab types` writes them again.
";

struct Declarations {
    config: Config,
    all: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Only derived types have a path, and maps have no name.
        if T::output_path().is_none() {
            return;
        }
        let name = T::ident(&self.config);
        if self.all.contains_key(&name) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        let text = format!("\n{docs}export {}\n", T::decl(&self.config));
        // A comment takes as few lines as it needs.
        let text = text.replace("/**\n * ", "/** ").replace("\n */\n", " */\n").replace(" \n", "\n");
        self.all.insert(name, text);
        T::visit_dependencies(self);
    }
}

#[test]
fn the_scripts_have_the_types_of_the_engine() {
    // A script has no other numbers, and no count of a report needs more than 53 bits.
    let mut found = Declarations { config: Config::default().with_large_int("number"), all: BTreeMap::new() };
    found.visit::<crate::request::Request>();
    found.visit::<crate::catalog::Catalog>();
    found.visit::<crate::catalog::Setting>();
    found.visit::<crate::check::Checked>();
    found.visit::<crate::check::DirectLaunch>();
    found.visit::<crate::lowered::Lowered>();
    found.visit::<crate::names::Completion>();
    found.visit::<crate::chip_file::CheckedChip>();
    found.visit::<crate::run::Ran>();
    found.visit::<crate::run::Progress<'static>>();
    found.visit::<crate::compare::Compared>();
    found.visit::<crate::book::ClaimRan>();
    found.visit::<crate::course::Course>();
    found.visit::<crate::course::LessonPage>();
    found.visit::<crate::exercise::Given>();
    found.visit::<crate::exercise::Opened>();
    found.visit::<exercises::Grade>();
    found.visit::<evidence::view::document::Document<'static>>();
    found.visit::<report::recorded::timeline::Timeline>();
    found.visit::<crate::stepper::Program>();
    found.visit::<Step>();
    found.visit::<Stepped>();
    let chip = format!(
        "\n/** The chip of runs that name none. */\nexport const DEFAULT_CHIP = \"{DEFAULT_CHIP}\";\n"
    );
    let text: String = [HEAD.to_owned(), chip].into_iter().chain(found.all.into_values()).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/types.ts");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).expect("the file can be written");
    }
    assert_eq!(std::fs::read_to_string(&path).expect("the file is readable"), text);
}
