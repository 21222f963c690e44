//! Checks, without running a launch, whether a chip or a compute capability can run it.

use super::launch_error::{LaunchError, LaunchLimit};
use crate::occupancy::{BlockNeeds, Exceeded, Occupancy, Rules};
use isa::feature::{Feature, Features};
use isa::terms::Terms;
use isa::types::{Capability, Dim3};
use isa::uop::{Inst, Program};

/// Resources that a launch requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request<'a> {
    /// The kernel's name, for messages.
    pub kernel: &'a str,
    /// Number of blocks.
    pub grid: Dim3,
    /// Threads per block.
    pub block: Dim3,
    /// Registers per thread.
    pub registers: u32,
    /// Barriers of the kernel.
    pub barriers: u32,
    /// Static and dynamic shared memory per block, in bytes.
    pub shared_bytes: u64,
    /// Size of the parameters, in bytes.
    pub param_bytes: u32,
    /// Local memory per thread, in bytes.
    pub local_bytes: u32,
    /// `.reqntid`: the only block size that the kernel accepts.
    pub required_block: Option<[u32; 3]>,
    /// `.maxntid`: the largest number of threads per block, as three extents.
    pub max_block: Option<[u32; 3]>,
    /// Words of the kernel's language.
    pub terms: &'static Terms,
}

/// The capability that has all instructions that this simulator executes.
const FERMI: Capability = Capability::new(2, 0);

/// Returns the capability that a program needs. No instruction distinguishes `sm_21` from `sm_20`.
/// Compilers write newer targets than the code needs; code that does need a newer target is
/// rejected when it is compiled.
fn needed(target: Capability) -> Capability {
    target.min(FERMI)
}

/// Rejects a kernel that was compiled for a newer chip, or that has an instruction after Fermi that
/// is not among `features`.
pub fn capability(program: &Program, chip: Capability, features: Features) -> Result<(), LaunchError> {
    if needed(program.target) > chip {
        return Err(LaunchError::Capability {
            kernel: program.name.clone(),
            target: program.target.to_string(),
            chip: chip.to_string(),
        });
    }
    let missing = |inst: &Inst| Feature::of(inst).is_some_and(|feature| !features.has(feature));
    let Some(pc) = program.code.iter().position(missing) else { return Ok(()) };
    let text = program.ptx_text(pc as u32);
    let instruction = text.split_whitespace().find(|word| !word.starts_with('@'));
    let line = program.lines.get(pc).copied().unwrap_or_default();
    Err(LaunchError::Feature {
        kernel: program.name.clone(),
        instruction: instruction.unwrap_or(program.code[pc].op.text()).to_owned(),
        place: if program.has_listing() {
            program.source.files().full_place(line)
        } else {
            program.source.files().pair((line, line))
        },
        features: program.code.iter().filter_map(Feature::of).fold(features, Features::with),
    })
}

/// Rules of a launch that prefers a size of an SM's shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSet {
    /// Rules with the largest shared memory.
    pub usual: Rules,
    /// Smaller sizes of shared memory that the launch can get, ascending, in bytes. A block gets
    /// the first that holds it.
    pub smaller: Vec<u32>,
}

impl RuleSet {
    /// Returns the largest shared memory of a block for each of the smaller sizes, ascending, in
    /// bytes and without the part that a launch adds.
    pub fn edges(&self, param_bytes: u32) -> impl Iterator<Item = u32> {
        let added = self.usual.launch_bytes(param_bytes);
        self.smaller.iter().filter_map(move |size| size.checked_sub(added))
    }

    /// Returns the rules for a request.
    pub fn of(&self, request: &Request<'_>) -> Rules {
        let added = u64::from(self.usual.launch_bytes(request.param_bytes));
        let holds = |size: &&u32| request.shared_bytes.saturating_add(added) <= u64::from(**size);
        let mut rules = self.usual;
        rules.sm.shared_bytes = self.smaller.iter().find(holds).copied().unwrap_or(rules.sm.shared_bytes);
        rules
    }
}

impl<'a> Request<'a> {
    /// A kernel of that name that needs only its threads.
    pub fn new(kernel: &'a str, grid: Dim3, block: Dim3) -> Self {
        Self {
            kernel,
            grid,
            block,
            registers: 0,
            barriers: 0,
            shared_bytes: 0,
            param_bytes: 0,
            local_bytes: 0,
            required_block: None,
            max_block: None,
            terms: &Terms::CUDA,
        }
    }

    /// Returns the request of a launch of `program`.
    pub fn of(program: &'a Program, grid: Dim3, block: Dim3, dynamic_shared: u32, registers: u32) -> Self {
        Self {
            registers,
            barriers: program.barriers(),
            shared_bytes: u64::from(program.shared_bytes) + u64::from(dynamic_shared),
            param_bytes: program.param_bytes,
            local_bytes: program.local_bytes,
            required_block: program.required_block,
            max_block: program.max_block,
            terms: Terms::of(program.source.files()),
            ..Self::new(&program.name, grid, block)
        }
    }

    /// Resources of one block, without the shared memory that a launch adds.
    pub fn needs(&self) -> BlockNeeds {
        BlockNeeds {
            threads: self.block.count().try_into().unwrap_or(u32::MAX),
            registers: self.registers,
            barriers: self.barriers,
            shared_bytes: self.shared_bytes.try_into().unwrap_or(u32::MAX),
        }
    }

    /// Occupancy of an SM with blocks of this launch.
    pub fn occupancy(&self, rules: &Rules) -> Occupancy {
        rules.launched(self.needs(), self.param_bytes)
    }

    /// Returns every limit that the request exceeds, threads per block first.
    pub fn refusals(&self, rules: &Rules) -> Vec<LaunchError> {
        let mut errors = self.extents(rules);
        let mut reported: Vec<Exceeded> = vec![Exceeded::NoThreads, Exceeded::ThreadsPerBlock];
        let limits = &rules.limits;
        let bytes = [
            (LaunchLimit::Parameters, self.param_bytes, rules.param_bytes(self.terms)),
            (LaunchLimit::Local, self.local_bytes, limits.local_bytes),
        ];
        for (limit, needed, available) in bytes {
            if needed > available {
                errors.push(self.refuse(limit, needed.into(), available.into()));
            }
        }
        let available = rules.shared_limit().into();
        if self.shared_bytes > available {
            errors.push(self.refuse(LaunchLimit::Shared, self.shared_bytes, available));
            reported.extend([Exceeded::Shared, Exceeded::SharedPerBlock]);
        }
        let refusals = self.occupancy(rules).refusals;
        let more = refusals.into_iter().filter(|refusal| !reported.contains(&refusal.limit));
        errors.extend(more.map(|refusal| LaunchError::Refused {
            kernel: self.kernel.to_owned(),
            refusal,
            terms: self.terms,
        }));
        errors
    }

    fn refuse(&self, limit: LaunchLimit, needed: u64, available: u64) -> LaunchError {
        LaunchError::Limit { kernel: self.kernel.to_owned(), limit, needed, available, terms: self.terms }
    }

    /// Errors of the number of threads and of the extents.
    fn extents(&self, rules: &Rules) -> Vec<LaunchError> {
        let (limits, mut errors) = (&rules.limits, Vec::new());
        // Checked before the extents: for a block of 1,024 × 1 threads the number of threads is the
        // more useful error.
        let threads = self.block.count();
        if threads > limits.threads_per_block.into() {
            errors.push(self.refuse(LaunchLimit::Threads, threads, limits.threads_per_block.into()));
        }
        let extents = [
            ("grid x", LaunchLimit::GridX, self.grid.x, limits.grid.x),
            ("grid y", LaunchLimit::GridY, self.grid.y, limits.grid.y),
            ("grid z", LaunchLimit::GridZ, self.grid.z, limits.grid.z),
            ("block x", LaunchLimit::BlockX, self.block.x, limits.block.x),
            ("block y", LaunchLimit::BlockY, self.block.y, limits.block.y),
            ("block z", LaunchLimit::BlockZ, self.block.z, limits.block.z),
        ];
        for (what, limit, given, most) in extents {
            if given == 0 {
                errors.push(LaunchError::Empty { kernel: self.kernel.to_owned(), what });
            }
            if given > most {
                errors.push(self.refuse(limit, given.into(), most.into()));
            }
        }
        let block = [self.block.x, self.block.y, self.block.z];
        if let Some([x, y, z]) = self.required_block.filter(|required| *required != block) {
            let (kernel, required) = (self.kernel.to_owned(), Dim3::new(x, y, z));
            errors.push(LaunchError::RequiredBlock {
                kernel,
                required,
                given: self.block,
                terms: self.terms,
            });
        }
        if let Some(most) = self.max_block {
            let most = most.iter().map(|n| u64::from((*n).max(1))).product();
            if threads > most {
                errors.push(self.refuse(LaunchLimit::MaxThreads, threads, most));
            }
        }
        errors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(request: Request<'_>) -> Vec<String> {
        let rules = Rules::of_capability(Capability::new(1, 0)).expect("the first capability");
        request.refusals(&rules).iter().map(ToString::to_string).collect()
    }

    /// A block that the preferred shared memory does not hold gets the next size from 7.0 on, and
    /// the largest before.
    #[test]
    fn a_block_gets_the_first_size_that_holds_it() {
        let sizes = |(major, minor), preferred: u32, shared: [u64; 4]| {
            let capability = Capability::new(major, minor);
            let usual = Rules::of_capability(capability).expect("a known capability");
            let smaller = crate::occupancy::rules::smaller_choices(capability, preferred << 10);
            let set = RuleSet { usual, smaller };
            shared.map(|shared_bytes| {
                let request = Request::new("", Dim3::new(1, 1, 1), Dim3::new(32, 1, 1));
                set.of(&Request { shared_bytes, ..request }).sm.shared_bytes >> 10
            })
        };
        assert_eq!(sizes((2, 0), 16, [0, 16_384, 16_385, 49_152]), [16, 16, 48, 48]);
        assert_eq!(sizes((3, 0), 16, [0, 16_384, 16_385, 40_000]), [16, 16, 48, 48]);
        assert_eq!(sizes((3, 7), 80, [0, 81_920, 81_921, 99_000]), [80, 80, 112, 112]);
        assert_eq!(sizes((7, 0), 0, [0, 1, 8192, 8193]), [0, 8, 8, 16]);
        assert_eq!(sizes((8, 0), 0, [0, 7168, 7169, 31_744]), [8, 8, 16, 32]);
        assert_eq!(sizes((9, 0), 132, [0, 134_144, 134_145, 199_680]), [132, 132, 164, 196]);
    }

    #[test]
    fn newer_targets_need_compute_capability_2_0() {
        let of = |major, minor| needed(Capability::new(major, minor));
        assert_eq!((of(1, 3), of(2, 1)), (Capability::new(1, 3), Capability::new(2, 0)));
        assert_eq!((of(3, 0), of(5, 2)), (Capability::new(2, 0), Capability::new(2, 0)));
    }

    #[test]
    fn every_reason_is_reported_once() {
        let grid = Dim3::new(1, 1, 1);
        assert_eq!(messages(Request::new("k", grid, Dim3::new(16, 16, 1))), [""; 0]);
        let large = Request {
            registers: 33,
            shared_bytes: 20_000,
            param_bytes: 300,
            local_bytes: 16_385,
            max_block: Some([64, 0, 0]),
            ..Request::new("k", Dim3::new(65536, 1, 2), Dim3::new(8, 8, 65))
        };
        let texts = messages(large);
        for (text, part) in texts.iter().zip([
            "the number of threads per block is 4160; this chip allows at most 512",
            "grid x is 65536; this chip allows at most 65535",
            "grid z is 2; this chip allows at most 1",
            "block z is 65; this chip allows at most 64",
            "the number of threads per block (.maxntid) is 4160; the kernel allows at most 64",
            "the size of the parameters in bytes is 300; this chip allows at most 256",
            "the local memory per thread in bytes is 16385; this chip allows at most 16384",
            "the shared memory per block in bytes is 20000; this chip allows at most 16384",
            "a block has 130 warps; an SM holds 24",
            "a block needs 137472 registers; an SM has 8192",
        ]) {
            assert!(text.contains(part), "{part}: {texts:#?}");
        }
        assert_eq!(texts.len(), 10, "{texts:#?}");
    }

    /// In OpenCL, parameters that shared memory does not have are in constant memory.
    #[test]
    fn opencl_has_more_parameters() {
        let of = |param_bytes| Request {
            shared_bytes: 16_000,
            param_bytes,
            terms: &Terms::OPENCL,
            ..Request::new("k", Dim3::new(1, 1, 1), Dim3::new(32, 1, 1))
        };
        assert_eq!(messages(of(257)), [""; 0]);
        assert_eq!(messages(of(4352)), [""; 0]);
        let part = "the size of the parameters in bytes is 4353; this chip allows at most 4352";
        assert!(messages(of(4353))[0].contains(part));
        let rules = Rules::of_capability(Capability::new(1, 0)).expect("the first capability");
        assert_eq!((rules.launch_bytes(256), rules.launch_bytes(257)), (272, 16));
    }

    #[test]
    fn parameters_count_against_shared_memory() {
        let request = Request {
            shared_bytes: 16_384,
            param_bytes: 4,
            ..Request::new("k", Dim3::new(1, 1, 1), Dim3::new(32, 1, 1))
        };
        assert_eq!(
            messages(request),
            ["launch of `k` refused: a block needs 16896 bytes of shared memory; an SM has 16384"]
        );
        let empty = Request::new("k", Dim3::new(1, 1, 1), Dim3::new(0, 1, 1));
        assert_eq!(messages(empty), ["launch of `k` refused: extent block x is 0"]);
    }
}
