//! Votes: the only kind of instruction whose result depends on the operands of other threads.
//!
//! The record has the tuples of every second lane of each warp. The votes of the other lanes follow
//! from the ballots, whose results are complete: [`complete`] computes tuples of all lanes from
//! them. It has votes of whole warps only; with inactive lanes the result is different, and
//! [`results`] computes it according to the manual (PTX ISA 2.3, "vote").

use super::vector::{Form, Tuple};

/// Tuples per warp in the record.
const RECORDED: usize = 16;

/// Replaces the recorded tuples by one for each lane.
pub fn complete(forms: &mut [Form]) -> Result<(), String> {
    let ballot =
        forms.iter().find(|form| form.name == "vote_ballot_b32").ok_or("the record has no ballot")?;
    let masks: Vec<u64> =
        ballot.tuples.chunks(RECORDED).filter_map(|warp| Some(warp[0].outs.as_ref()?[0])).collect();
    for form in forms.iter_mut().filter(|form| form.group() == "vote") {
        let mut tuples = Vec::new();
        for (warp, mask) in form.tuples.chunks(RECORDED).zip(&masks) {
            for lane in 0..32 {
                let recorded = &warp[lane / 2];
                let vote = mask >> lane & 1;
                if lane % 2 == 0 && recorded.ins[0] & 1 != vote || recorded.outs != warp[0].outs {
                    return Err(format!("{}: lane {lane} contradicts the ballot {mask:#x}", form.name));
                }
                tuples.push(Tuple { ins: vec![vote], outs: recorded.outs.clone() });
            }
        }
        if tuples.len() != 2 * form.tuples.len() {
            return Err(format!("{}: {} tuples of {}", form.name, tuples.len(), form.tuples.len()));
        }
        form.tuples = tuples;
    }
    Ok(())
}

/// Returns the result of the vote `form` in each thread: thread i's predicate is `predicates[i]`,
/// it participates if `here[i]`, and the warps are the threads of a block in groups of 32. `None`
/// if the form is not a vote.
pub fn results(form: &Form, block: usize, predicates: &[bool], here: &[bool]) -> Option<Vec<u64>> {
    let mode = form.ptx.strip_prefix("vote.")?;
    let negated = mode.contains('!');
    let mut results = Vec::new();
    for threads in (0..predicates.len()).collect::<Vec<_>>().chunks(block) {
        for warp in threads.chunks(32) {
            let vote = |i: &usize| predicates[*i] != negated;
            let mut taking_part = warp.iter().filter(|i| here[**i]);
            let result = match mode.split('.').next()? {
                "all" => taking_part.all(vote).into(),
                "any" => taking_part.any(vote).into(),
                "uni" => {
                    let votes: Vec<bool> = taking_part.map(vote).collect();
                    votes.windows(2).all(|pair| pair[0] == pair[1]).into()
                }
                "ballot" => taking_part.filter(|i| vote(i)).fold(0, |mask, i| mask | 1 << (i - warp[0])),
                _ => return None,
            };
            results.extend(warp.iter().map(|_| result));
        }
    }
    Some(results)
}
