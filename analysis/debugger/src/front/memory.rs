//! The command `x`, which prints units of memory.

use super::checks::unknown;
use super::command::{Address, Examined, Units};
use super::{Front, InFocus, show};
use isa::terms::Terms;
use isa::uop::OperandKind;
use report::inspect::terms;
use report::inspect::values::{Format, bits, value};
use report::inspect::variables::{Expression, Expressions as _, Missing, Sight, Space};
use report::render::table::line;
use sim_core::debug::{Poll, Session};

/// The message about an address outside of all allocations.
pub fn outside(session: &Session<'_>, address: u32) -> String {
    let nearest = session.allocations().iter().min_by_key(|one| {
        let (start, end) = (u64::from(one.start), one.end());
        let at = u64::from(address);
        if at < start { start - at } else { at.saturating_sub(end) }
    });
    let hint = nearest.map_or(String::new(), |one| {
        let name = one.name.as_deref().map_or(String::new(), |name| format!(" `{name}`"));
        format!("; the nearest allocation{name} is {:#x} to {:#x}", one.start, one.end() - 1)
    });
    format!("global {address:#x} is outside of all allocations{hint}")
}

/// Where `x` reads, and what it has printed last.
#[derive(Clone, Copy, Debug)]
pub struct Next {
    /// Memory.
    pub space: Space,
    /// Address of the first unit.
    pub address: u64,
    /// How it prints.
    pub units: Units,
}

/// Returns how `x` prints: as it is told, or one unit as the last time.
pub fn units_or_last(units: Option<Units>, last: Option<Next>) -> Units {
    units.unwrap_or(match last.map(|next| next.units) {
        Some(Units::Numbers(_, format, bytes)) => Units::Numbers(1, format, bytes),
        Some(Units::Texts(_)) => Units::Texts(1),
        Some(Units::Instructions(_)) | None => Units::Numbers(1, Format::Hex, 4),
    })
}

/// Longest text that `x/s` prints.
const LONGEST_TEXT: u64 = 200;

/// The name of a memory in the lines of `x`.
fn name(space: Space) -> &'static str {
    match space {
        Space::Shared => "shared ",
        Space::Global => "global ",
        Space::Constant => "constant ",
        Space::Local => "local ",
        Space::Host => "",
    }
}

/// Prints units of a memory. `read` returns the bits at an address, and `missing` says why there
/// are none. Returns the text and the address behind the last unit.
///
/// # Errors
/// The address is outside of the memory, or the units are instructions.
pub fn examine(
    next: Next,
    read: impl Fn(u64, u32) -> Option<u64>,
    missing: impl Fn(u64) -> String,
) -> Result<(String, u64), String> {
    let Next { space, address, units } = next;
    let digits = if space == Space::Host { 18 } else { 10 };
    let place = |at: u64| format!("{}{at:#0digits$x}:", name(space));
    let mut out = String::new();
    match units {
        Units::Instructions(_) => {
            Err("instructions are not in this memory; `x/4i $pc` prints those of the warp in focus"
                .to_owned())
        }
        Units::Texts(count) => {
            let mut at = address;
            for _ in 0..count {
                let start = at;
                let mut text = Vec::new();
                loop {
                    let byte = read(at, 1).ok_or_else(|| missing(at))?;
                    at += 1;
                    if byte == 0 || at - start > LONGEST_TEXT {
                        break;
                    }
                    text.push(byte as u8);
                }
                line(&mut out, format!("{} {:?}", place(start), String::from_utf8_lossy(&text)));
            }
            Ok((out, at))
        }
        Units::Numbers(count, format, bytes) => {
            let unit = |at: u64| read(at, bytes).ok_or_else(|| missing(at));
            let addresses = (0..u64::from(count)).map(|i| address.wrapping_add(i * u64::from(bytes)));
            let values: Vec<String> =
                addresses.map(|at| Ok(number(unit(at)?, format, bytes))).collect::<Result<_, String>>()?;
            let width = values.iter().map(String::len).max().unwrap_or(0);
            let free = 10 + digits;
            let each = [16, 8, 4, 2, 1].into_iter().find(|each| free + each * (width + 1) <= 80).unwrap_or(1);
            for (i, part) in values.chunks(each).enumerate() {
                let mut text = place(address + (i * each) as u64 * u64::from(bytes));
                for one in part {
                    text = format!("{text} {one:>width$}");
                }
                line(&mut out, text);
            }
            Ok((out, address + u64::from(count) * u64::from(bytes)))
        }
    }
}

/// A number of so many bytes.
fn number(bits: u64, format: Format, bytes: u32) -> String {
    match (bytes, format) {
        (8, _) => value(OperandKind::D, Some(format), bits),
        (4, _) | (_, Format::Float | Format::Octal | Format::Char) => {
            value(OperandKind::W, Some(format), bits)
        }
        (2, Format::Signed) => (bits as u16 as i16).to_string(),
        (1, Format::Signed) => (bits as u8 as i8).to_string(),
        (_, Format::Hex) => format!("{bits:#0width$x}", width = 2 + 2 * bytes as usize),
        (_, Format::Binary) => format!("{bits:#0width$b}", width = 2 + 8 * bytes as usize),
        (_, Format::Signed | Format::Unsigned) => bits.to_string(),
    }
}

/// Prints units of the memory of a launch, as [`examine`] does, for the warp and the lane in focus.
///
/// # Errors
/// The address is outside of the memory.
pub fn of_launch(session: &Session<'_>, focus: InFocus, next: Next) -> Result<(String, u64), String> {
    let warp = session.warp(focus.sm, focus.slot);
    let Next { space, address: start, units } = next;
    let block = warp.as_ref().map(|warp| warp.block);
    if space == Space::Shared {
        let Terms { block: word, shared, .. } = terms(session);
        let block =
            block.ok_or_else(|| format!("no warp is in focus, so there is no {word} with {shared}"))?;
        let all = session.shared(block).unwrap_or(&[]).len() as u64;
        if let Units::Numbers(count, _, bytes) = units {
            let end = start.saturating_add(u64::from(count) * u64::from(bytes));
            if end > all {
                let last = end - 1;
                return Err(format!(
                    "shared {start:#x} to {last:#x} is outside of the {all} bytes of the {word}"
                ));
            }
        }
    }
    let read = |at: u64, bytes: u32| {
        let at = u32::try_from(at).ok()?;
        let end = at.checked_add(bytes)?;
        match space {
            Space::Shared => session.shared(block?)?.get(at as usize..end as usize).map(bits),
            Space::Global => session.global(at, bytes).map(|found| bits(&found)),
            Space::Constant => session.constant(at, bytes).map(bits),
            Space::Local => {
                let place = (focus.sm, focus.slot, focus.lane as usize);
                session.local(place, at, bytes).map(|found| bits(&found))
            }
            Space::Host => None,
        }
    };
    let missing = |at: u64| match (space, u32::try_from(start)) {
        (Space::Global, Ok(start)) => outside(session, start),
        _ => format!("{}{at:#x} is outside of the memory", name(space)),
    };
    examine(next, read, missing)
}

impl Front {
    /// Returns what `x` without an address prints.
    pub fn next(&self) -> Option<Next> {
        self.next
    }

    /// Notes what `x` has printed.
    pub fn examined(&mut self, next: Next) {
        self.next = Some(next);
    }

    /// `x`.
    pub(super) fn examine(
        &mut self,
        session: &Session<'_>,
        units: Option<Units>,
        place: Examined,
        poll: Poll<'_>,
    ) -> Result<String, String> {
        let units = units_or_last(units, self.next);
        if let Units::Instructions(count) = units {
            let warp = self.warp(session)?;
            let is_here = match &place {
                Examined::Next => true,
                Examined::Place(expression) => expression.text == "$pc",
                Examined::Memory(_) => false,
            };
            return if is_here {
                Ok(show::instructions(session, &self.words, warp.pc, Some(count)))
            } else {
                Err("`x/4i $pc` prints instructions; `disassemble` those of the whole function".to_owned())
            };
        }
        let (space, address) = match place {
            Examined::Memory(Address::Global(address)) => (Space::Global, address.into()),
            Examined::Memory(Address::Shared(address)) => (Space::Shared, address.into()),
            Examined::Next => {
                let next = self.next.ok_or("x requires an address")?;
                (next.space, next.address)
            }
            Examined::Place(expression) => self.address(session, &expression, poll)?,
        };
        let next = Next { space, address, units };
        let (text, end) = of_launch(session, self.focus, next)?;
        self.next = Some(Next { address: end, ..next });
        Ok(text)
    }

    /// The memory and the address that an expression means in the lane in focus.
    pub(super) fn address(
        &self,
        session: &Session<'_>,
        expression: &Expression,
        poll: Poll<'_>,
    ) -> Result<(Space, u64), String> {
        // At the end of a launch, buffers have names, too.
        let mut allocations = session.allocations().iter();
        let named = allocations.find(|one| one.name.as_deref() == Some(&*expression.text));
        let warp = match (self.warp(session), named) {
            (Err(_), Some(named)) => return Ok((Space::Global, named.start.into())),
            (warp, _) => warp?,
        };
        match Sight::new(session, &self.words, &warp).address(expression, poll) {
            Ok((space, lanes)) => {
                let lane = self.focus.lane;
                let address = lanes[lane as usize].ok_or_else(|| format!("lane {lane} has no value"))?;
                Ok((space, address))
            }
            Err(Missing::Name(name)) => Err(unknown(session, &name)),
            Err(Missing::Value(why)) => Err(why),
        }
    }
}
