//! Makes an example small while it fails in the same way: fewer blocks and threads, fewer
//! differences of the chip from a built-in one, fewer buffers and statements, fewer registers.

use super::Example;
use super::kernel::Kernel;

/// Largest number of examples that are tried.
const TRIALS: u32 = 6_000;

/// A search for a smaller example.
struct Search<'a> {
    best: Example,
    fails: &'a mut dyn FnMut(&Example) -> bool,
    trials: u32,
}

/// Returns a small example whose kernel ends and for which `fails` holds, beginning with `example`,
/// for which it holds.
pub fn reduce(example: Example, mut fails: impl FnMut(&Example) -> bool) -> Example {
    let mut search = Search { best: example, fails: &mut fails, trials: 0 };
    loop {
        let before = search.best.clone();
        // The kernel before the launch: some mistakes need many instructions, of few warps or of
        // many.
        search.chip();
        search.kernel();
        search.launch();
        search.buffers();
        search.registers();
        let same = before.text == search.best.text
            && before.chip == search.best.chip
            && (before.blocks, before.threads) == (search.best.blocks, search.best.threads)
            && before.buffers == search.best.buffers;
        if same || search.trials >= TRIALS {
            return search.best;
        }
    }
}

impl Search<'_> {
    /// Replaces the example by `other` if that fails, too.
    fn accept(&mut self, other: Example) -> bool {
        if self.trials >= TRIALS {
            return false;
        }
        self.trials += 1;
        let fails = other.ends() && (self.fails)(&other);
        if fails {
            self.best = other;
        }
        fails
    }

    /// The smallest of these numbers with which it fails.
    fn least(&mut self, now: u32, values: impl IntoIterator<Item = u32>, set: impl Fn(&mut Example, u32)) {
        for value in values.into_iter().filter(|value| *value < now) {
            let mut other = self.best.clone();
            set(&mut other, value);
            if self.accept(other) {
                return;
            }
        }
    }

    fn launch(&mut self) {
        self.least(self.best.blocks, 1..9, |example, blocks| example.blocks = blocks);
        let threads = [1, 2, 4, 8, 16, 32, 33, 64, 65, 96, 97, 128];
        self.least(self.best.threads, threads, |example, threads| example.threads = threads);
    }

    /// Removes items of a list, in pieces of falling size. `with` makes an example of the rest.
    fn remove<T: Clone>(&mut self, mut items: Vec<T>, with: impl Fn(&Example, &[T]) -> Example) {
        let mut size = items.len().next_power_of_two();
        while size > 0 {
            let mut at = 0;
            while at < items.len() {
                let end = (at + size).min(items.len());
                let rest: Vec<T> = [&items[..at], &items[end..]].concat();
                if self.accept(with(&self.best, &rest)) {
                    items = rest;
                } else {
                    at = end;
                }
            }
            size /= 2;
        }
    }

    fn chip(&mut self) {
        self.remove(self.best.chip.sets.clone(), |example, sets| {
            let mut other = example.clone();
            other.chip.sets = sets.to_vec();
            other
        });
        // Few SMs are easier to follow, if the chip's own number does not matter.
        for (path, value) in [("clusters", "1"), ("cluster.sms", "1"), ("partitions", "1")] {
            if !self.best.chip.sets.iter().any(|(set, _)| set == path) {
                let mut other = self.best.clone();
                other.chip = other.chip.with(&[(path, value)]);
                if !other.chip.has_warnings() {
                    self.accept(other);
                }
            }
        }
    }

    fn kernel(&mut self) {
        let Some(kernel) = Kernel::of(&self.best.text) else { return };
        let plain = kernel.without_functions();
        let with = |example: &Example, kernel: &Kernel| Example { text: kernel.text(), ..example.clone() };
        if !self.accept(with(&self.best, &plain)) && !self.accept(with(&self.best, &kernel)) {
            return;
        }
        let Some(kernel) = Kernel::of(&self.best.text) else { return };
        self.remove(kernel.lines.clone(), |example, lines| with(example, &kernel.with(lines)));
        self.unguard();
    }

    /// Removes the guards of instructions.
    fn unguard(&mut self) {
        let Some(kernel) = Kernel::of(&self.best.text) else { return };
        for at in 0..kernel.lines.len() {
            let Some(mut kernel) = Kernel::of(&self.best.text) else { return };
            let Some(line) = kernel.lines.get_mut(at) else { return };
            let Some((_, plain)) = line.strip_prefix('@').and_then(|line| line.split_once(' ')) else {
                continue;
            };
            *line = plain.trim().to_owned();
            let other = Example { text: kernel.text(), ..self.best.clone() };
            self.accept(other);
        }
    }

    fn buffers(&mut self) {
        for at in (0..self.best.buffers.len()).rev() {
            let Some(mut kernel) = Kernel::of(&self.best.text) else { return };
            let mut other = self.best.clone();
            kernel.params.remove(at);
            other.buffers.remove(at);
            other.text = kernel.text();
            if self.accept(other) {
                continue;
            }
            let bytes = &self.best.buffers[at].bytes;
            if bytes.iter().any(|byte| *byte != 0) {
                let mut other = self.best.clone();
                other.buffers[at].bytes.fill(0);
                self.accept(other);
            }
            let length = self.best.buffers[at].bytes.len() as u32;
            self.least(length, [4, 32, 128, 512, 2048], |example, length| {
                example.buffers[at].bytes.truncate(length as usize);
            });
        }
    }

    /// Replaces registers by others of the same kind.
    fn registers(&mut self) {
        let names = |text: &str| {
            let word = |c: char| c.is_alphanumeric() || c == '_';
            let mut found: Vec<String> = Vec::new();
            for line in text.lines().filter(|line| !line.trim_start().starts_with('.')) {
                for piece in line.split('%').skip(1) {
                    let end = piece.find(|c| !word(c)).unwrap_or(piece.len());
                    let name = piece[..end].to_owned();
                    if !found.contains(&name) && !piece[end..].starts_with('.') {
                        found.push(name);
                    }
                }
            }
            found
        };
        let mut at = 1;
        while at < names(&self.best.text).len() {
            let all = names(&self.best.text);
            let renamed = all[..at].iter().any(|earlier| {
                let text = rename(&self.best.text, &all[at], earlier);
                let other = Example { text, ..self.best.clone() };
                self.accept(other)
            });
            at += usize::from(!renamed);
        }
        let Some(kernel) = Kernel::of(&self.best.text) else { return };
        self.remove(kernel.lines.clone(), |example, lines| Example {
            text: kernel.with(lines).text(),
            ..example.clone()
        });
    }
}

/// Replaces register `%from` by `%to` in the statements of a text.
fn rename(text: &str, from: &str, to: &str) -> String {
    let (from, to) = (format!("%{from}"), format!("%{to}"));
    let line = |line: &str| {
        if line.trim_start().starts_with('.') {
            return line.to_owned();
        }
        let mut out = String::new();
        let mut rest = line;
        while let Some(at) = rest.find(&from) {
            let end = at + from.len();
            let whole = !rest[end..].starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
            out.push_str(&rest[..at]);
            out.push_str(if whole { &to } else { &rest[at..end] });
            rest = &rest[end..];
        }
        out + rest
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_is_renamed_as_a_whole() {
        let text = ".reg .u32 %r1;\nadd.u32 %r1, %r10, %r1;\nmov.u32 %r1, %r1.x;\n";
        assert_eq!(rename(text, "r1", "a"), ".reg .u32 %r1;\nadd.u32 %a, %r10, %a;\nmov.u32 %a, %r1.x;\n");
    }
}
