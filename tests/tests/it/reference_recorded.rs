//! Compares the reference interpreter with results that were recorded on silicon: compiled kernels,
//! random programs and instruction forms, which are independent of it.

use isa::types::Dim3;
use std::collections::BTreeMap;
use test_support::record;
use warpsim_tests::recorded::case::{self, Case, Param};
use warpsim_tests::recorded::compare::{self, Tolerance};
use warpsim_tests::recorded::kernel;
use warpsim_tests::recorded::vector::{self, Form, stride};
use warpsim_tests::reference::{Launch, Memory, ReferenceProgram, run};

/// The highest target that PTX 2.3 supports.
const HIGHEST_TARGET: u32 = 21;

/// A kernel whose lanes exchange data by the order of their warp's instructions, which an
/// interpreter that runs one thread at a time cannot execute.
const OF_WARPS: &str = "warp_scan";

/// Allocates memory for buffers, one after the other with space between them.
#[derive(Default)]
struct Buffers {
    memory: Memory,
    end: u64,
}

impl Buffers {
    fn add(&mut self, bytes: Vec<u8>) -> u64 {
        let start = self.end.next_multiple_of(256) + 256;
        self.end = start + bytes.len() as u64;
        self.memory.add(start, bytes);
        start
    }

    fn read(&self, start: u64, bytes: usize) -> Result<&[u8], String> {
        let range = self.memory.ranges().iter().find(|range| range.start == start).ok_or("no buffer")?;
        range.bytes.get(..bytes).ok_or_else(|| "too small a buffer".to_owned())
    }
}

/// Returns an address as the argument of a parameter of `bytes` bytes.
fn pointer(address: u64, bytes: u64) -> Vec<u8> {
    address.to_le_bytes()[..bytes as usize].to_vec()
}

/// Runs a recorded program and compares its outputs.
fn program(case: &Case) -> Result<(), String> {
    let mut program = ReferenceProgram::read(record::text(&case.ptx)?, &case.entry)?;
    for global in &case.globals {
        program.fill(&global.symbol, record::read(&global.init)?)?;
    }
    let (mut buffers, mut starts) = (Buffers::default(), BTreeMap::new());
    for (name, buffer) in &case.buffers {
        let init = buffer.init.as_ref().map(|init| record::read(init).map(<[u8]>::to_vec));
        starts.insert(name, buffers.add(init.unwrap_or_else(|| Ok(vec![0; buffer.bytes]))?));
    }
    let arguments = case.params.iter().zip(&program.params).map(|(param, place)| match param {
        Param::Buf { name } => Ok(pointer(*starts.get(name).ok_or("no such buffer")?, place.bytes)),
        Param::Val { bits } => {
            let value = u64::from_str_radix(bits.trim_start_matches("0x"), 16).map_err(|e| e.to_string())?;
            Ok(pointer(value, place.bytes))
        }
    });
    let args = arguments.collect::<Result<Vec<_>, String>>()?;
    let dim = |[x, y, z]: [u32; 3]| Dim3::new(x, y, z);
    let launch = Launch {
        args,
        dynamic_shared: case.dyn_shared,
        ..Launch::new(&program, dim(case.grid), dim(case.block))
    };
    run(&launch, &mut buffers.memory)?;
    for output in &case.outputs {
        let got = buffers.read(*starts.get(&output.buf).ok_or("no such buffer")?, output.bytes)?;
        compare::output(output, got, record::read(&output.expected)?)?;
    }
    Ok(())
}

/// Runs all programs of the record. Returns their number.
fn programs() -> usize {
    let mut cases = case::all().expect("the record");
    let narrow: Vec<Case> = cases.iter().filter_map(Case::with_32_bits).collect();
    cases.extend(narrow);
    cases.retain(|case| case.capability().is_some_and(|sm| sm <= HIGHEST_TARGET) && case.kernel != OF_WARPS);
    let wrong: Vec<String> =
        cases.iter().filter_map(|case| Some(format!("{}: {}", case.id, program(case).err()?))).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    cases.len()
}

/// Tests: `reference-agrees-with-silicon`.
#[test]
fn the_corpus_agrees_with_the_reference() {
    assert_eq!(programs(), 424);
}

/// Runs a form's kernel with a thread for each tuple, in whole warps.
fn form(form: &Form) -> Result<(), String> {
    let program = ReferenceProgram::read(&kernel::text(form, 32)?, &form.name)?;
    let threads = form.tuples.len().next_multiple_of(64);
    let tuple = |i: usize| &form.tuples[i % form.tuples.len()];
    let (mut buffers, mut args, mut outputs) = (Buffers::default(), Vec::new(), Vec::new());
    for (number, ty) in form.ins.iter().enumerate() {
        let size = stride(ty)?;
        let bytes = (0..threads).flat_map(|i| tuple(i).ins[number].to_le_bytes()[..size].to_vec());
        args.push(pointer(buffers.add(bytes.collect()), 4));
    }
    for ty in &form.outs {
        outputs.push(buffers.add(vec![0; threads * stride(ty)?]));
        args.push(pointer(outputs[outputs.len() - 1], 4));
    }
    args.push((threads as u32).to_le_bytes().to_vec());
    let launch = Launch { args, ..Launch::new(&program, threads as u32 / 64, 64) };
    run(&launch, &mut buffers.memory)?;
    for (number, (ty, start)) in form.outs.iter().zip(outputs).enumerate() {
        let size = stride(ty)?;
        let bytes = buffers.read(start, threads * size)?;
        for (i, word) in bytes.chunks(size).enumerate().take(form.tuples.len()) {
            let got = word.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
            let (Some(outs), Some(tolerance)) = (&tuple(i).outs, form.tolerance) else { continue };
            // For exact forms the bits of NaNs were recorded, too.
            let same = got == outs[number]
                || tolerance != Tolerance::NONE && tolerance.allows(ty, got, outs[number]);
            if !same {
                let (ins, expected) = (&tuple(i).ins, outs[number]);
                return Err(format!("output {number} of {ins:x?} is {got:#x}, recorded {expected:#x}"));
            }
        }
    }
    Ok(())
}

fn forms(forms: &[Form]) {
    let wrong: Vec<String> =
        forms.iter().filter_map(|f| Some(format!("{}: {}", f.name, form(f).err()?))).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), forms.len(), wrong.join("\n"));
}

/// Tests: `reference-agrees-with-silicon`.
#[test]
fn every_recorded_form_agrees_with_the_reference() {
    let all = vector::all().expect("forms");
    assert!(all.len() > 1_300, "{} forms", all.len());
    forms(&all);
}
