//! The events at which a client can stop a launch, as "exception breakpoints".

use serde::Serialize;

/// An event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// A launch begins.
    Launch,
    /// An event of the `break` command, by its words there.
    Event(&'static str),
    /// A warp continues after a long wait; the words of the `break` command without the number.
    Stall,
    /// A thread traps.
    Trap,
    /// The launch can make no progress, or reaches its limit.
    Hang,
    /// A launch finishes.
    End,
}

/// An event as the client lists it.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FilterRow {
    /// Name of the event.
    pub filter: &'static str,
    /// Name in the list.
    pub label: &'static str,
    /// Description of the event, for the client.
    pub description: &'static str,
    /// Whether it is on at the beginning.
    pub default: bool,
    /// Whether it can be restricted.
    pub supports_condition: bool,
    /// How it can be restricted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition_description: Option<&'static str>,
    /// Event of the debugger that the filter selects.
    #[serde(skip)]
    pub event: Filter,
}

const RESTRICTION: Option<&str> =
    Some("block (X,Y,Z), warp N, thread (X,Y,Z), or a condition such as %r1 == 5");

const fn row(filter: &'static str, label: &'static str, description: &'static str) -> FilterRow {
    FilterRow {
        filter,
        label,
        description,
        default: false,
        supports_condition: true,
        condition_description: RESTRICTION,
        event: Filter::Event(filter),
    }
}

const fn end(
    filter: &'static str,
    label: &'static str,
    description: &'static str,
    event: Filter,
    default: bool,
) -> FilterRow {
    FilterRow {
        filter,
        label,
        description,
        default,
        supports_condition: false,
        condition_description: None,
        event,
    }
}

/// Shader cycles of a long wait if the client gives no number.
pub const LONG_STALL: u64 = 1000;

/// All events.
pub const FILTERS: [FilterRow; 10] = [
    end("launch", "Launch", "Stop before the first instruction of each launch", Filter::Launch, false),
    row("divergence", "Divergence", "Stop before a branch on which the lanes of a warp disagree"),
    row("bank-conflict", "Bank conflict", "Stop before an access to shared memory with bank conflicts"),
    row("uncoalesced", "Uncoalesced access", "Stop before an access to global memory that is not coalesced"),
    row("barrier", "Barrier", "Stop before a barrier"),
    row("exit", "Exit", "Stop when a warp exits"),
    FilterRow {
        condition_description: Some("shader cycles (1,000 if empty), then block (X,Y,Z) or warp N"),
        event: Filter::Stall,
        ..row("stall", "Stall", "Stop when a warp continues after a wait of so many shader cycles")
    },
    end("trap", "Trap", "Stop when a thread executes an illegal operation", Filter::Trap, true),
    end(
        "hang",
        "Hang",
        "Stop when the launch can make no progress, or reaches its limit",
        Filter::Hang,
        true,
    ),
    end("end", "End", "Stop when a launch finishes, so that it can be stepped back", Filter::End, false),
];

/// Returns the event with a name.
pub fn find(filter: &str) -> Option<&'static FilterRow> {
    FILTERS.iter().find(|row| row.filter == filter)
}
