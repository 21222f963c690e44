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
        shared: "shared memory",
        local: "local memory",
        sm: "SM",
        an_sm: "an SM",
        barrier: "`__syncthreads()`",
        atomic: "`atomicAdd`",
        fence: "`__threadfence()`",
        volatile: "declare VARIABLE, and pointers to it, `volatile`",
    };
    /// OpenCL C.
    pub const OPENCL: Self = Self {
        thread: "work-item",
        block: "work-group",
        grid: "NDRange",
        shared: "local memory",
        local: "private memory",
        sm: "compute unit",
        an_sm: "a compute unit",
        barrier: "`barrier(CLK_LOCAL_MEM_FENCE)`",
        atomic: "`atomic_add`",
        fence: "`mem_fence(CLK_GLOBAL_MEM_FENCE)`",
        volatile: Self::CUDA.volatile,
    };

    /// The words of the language in which the user reads a kernel.
    pub fn of(files: &Files) -> &'static Self {
        let is_opencl = |name: &str| Path::new(name).extension().is_some_and(|end| end == "cl");
        if !files.is_listing() {
            &Self::PTX
        } else if files.iter().any(|file| is_opencl(&file.name)) {
            &Self::OPENCL
        } else {
            &Self::CUDA
        }
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
