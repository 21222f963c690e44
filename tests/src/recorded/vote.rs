//! What a vote says of the lanes that take part in it. The record has votes of whole warps only; with some lanes
//! missing the answer is another, and is worked out here from the manual (PTX ISA 2.3, "vote").

use super::vector::Form;

/// The result of the vote `form` in each thread: thread i's predicate is `predicates[i]`, it takes part if `here[i]`,
/// and warps are blocks' threads in groups of 32. Nothing for a form that is no vote.
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
