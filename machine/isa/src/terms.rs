//! Words for the parts of a launch, in the language of its kernel: one row for each language.
//!
//! A text about a launch takes its words from [`Terms::of`]. A text of a table has their names in
//! braces, `every {thread} of the {block}`, and [`Terms::fill`] fills it.

use crate::source::Files;
use crate::types::StateSpace;
use std::borrow::Cow;
use std::path::Path;

/// The words of a language.
#[derive(Debug, PartialEq, Eq)]
pub struct Terms {
    /// One thread.
    pub thread: &'static str,
    /// The threads that share memory and barriers.
    pub block: &'static str,
    /// All threads of a launch.
    pub grid: &'static str,
    /// Title of the number of blocks in each dimension.
    pub blocks: &'static str,
    /// Memory of a block.
    pub shared: &'static str,
    /// Memory of a thread.
    pub local: &'static str,
    /// The part of the chip that holds a block.
    pub sm: &'static str,
    /// The same with its article.
    pub an_sm: &'static str,
    /// The barrier of a block.
    pub barrier: &'static str,
    /// An atomic addition.
    pub atomic: &'static str,
    /// The fence for global memory.
    pub fence: &'static str,
    /// Attribute of a kernel with the size of its blocks.
    pub required: &'static str,
    /// Change that makes accesses volatile.
    pub volatile: &'static str,
}

impl Terms {
    /// PTX.
    pub const PTX: Self = Self {
        barrier: "`bar.sync`",
        atomic: "`atom.add` or `red.add`",
        fence: "`membar.gl`",
        volatile: "access VARIABLE with `ld.volatile` and `st.volatile`",
        ..Self::CUDA
    };
    /// CUDA C.
    pub const CUDA: Self = Self {
        thread: "thread",
        block: "block",
        grid: "grid",
        blocks: "grid",
        shared: "shared memory",
        local: "local memory",
        sm: "SM",
        an_sm: "an SM",
        barrier: "`__syncthreads()`",
        atomic: "`atomicAdd`",
        fence: "`__threadfence()`",
        required: ".reqntid",
        volatile: "declare VARIABLE, and pointers to it, `volatile`",
    };
    /// OpenCL C.
    pub const OPENCL: Self = Self {
        thread: "work-item",
        block: "work-group",
        grid: "NDRange",
        blocks: "work-groups",
        shared: "local memory",
        local: "private memory",
        sm: "compute unit",
        an_sm: "a compute unit",
        barrier: "`barrier(CLK_LOCAL_MEM_FENCE)`",
        atomic: "`atomic_add`",
        fence: "`mem_fence(CLK_GLOBAL_MEM_FENCE)`",
        required: "reqd_work_group_size",
        volatile: Self::CUDA.volatile,
    };

    /// The words of the language in which the user reads a kernel.
    pub fn of(files: &Files) -> &'static Self {
        if files.is_listing() { Self::of_names(files.iter().map(|file| &*file.name)) } else { &Self::PTX }
    }

    /// The words of a kernel whose text is in files of these names.
    pub fn of_names<'n>(mut names: impl Iterator<Item = &'n str>) -> &'static Self {
        let is_opencl = |name| Path::new(name).extension().is_some_and(|end| end == "cl");
        if names.any(is_opencl) { &Self::OPENCL } else { &Self::CUDA }
    }

    /// Whether they are the words of OpenCL.
    pub fn is_opencl(&self) -> bool {
        *self == Self::OPENCL
    }

    /// Name of the memory of a state space.
    pub fn memory(&self, space: StateSpace) -> Cow<'static, str> {
        match space {
            StateSpace::Shared => self.shared.into(),
            StateSpace::Local => self.local.into(),
            _ => format!("{} memory", space.name()).into(),
        }
    }

    /// Name of a state space in messages: as in PTX, or the word of OpenCL C.
    pub fn space(&self, space: StateSpace) -> Cow<'static, str> {
        match space {
            StateSpace::Shared if self.is_opencl() => "local".into(),
            StateSpace::Local if self.is_opencl() => "private".into(),
            _ => space.to_string().into(),
        }
    }

    /// Fills the words of a text: `{thread}`, `{block}`, `{grid}`, `{shared}`, `{local}`, `{sm}`,
    /// `{an_sm}`.
    pub fn fill(&self, text: &'static str) -> Cow<'static, str> {
        let Self { thread, block, grid, shared, local, sm, an_sm, .. } = self;
        let words = [
            ("{thread}", thread),
            ("{block}", block),
            ("{grid}", grid),
            ("{shared}", shared),
            ("{local}", local),
            ("{sm}", sm),
            ("{an_sm}", an_sm),
        ];
        let mut filled = Cow::Borrowed(text);
        for (name, word) in words {
            if filled.contains(name) {
                filled = filled.replace(name, word).into();
            }
        }
        filled
    }
}

/// The words of CUDA.
impl Default for &'static Terms {
    fn default() -> Self {
        &Terms::CUDA
    }
}

/// Returns a word as it begins a sentence or a title.
pub fn capital(word: &str) -> String {
    let mut rest = word.chars();
    rest.next().into_iter().flat_map(char::to_uppercase).chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_the_words_of_its_language() {
        let text = "the {thread}s of a {block} share {shared} of {an_sm}";
        assert_eq!(Terms::CUDA.fill(text), "the threads of a block share shared memory of an SM");
        assert_eq!(
            Terms::OPENCL.fill(text),
            "the work-items of a work-group share local memory of a compute unit"
        );
        assert!(matches!(Terms::CUDA.fill("no word"), Cow::Borrowed("no word")));
    }
}
