//! Requests for global memory that are under way from an SM to a partition.

use super::touch::{Place, Span, Touch, spans, touches};
use crate::exec::Access;
use crate::exec::mask::lanes;
use crate::mem::map::AddressMap;
use crate::words::words;
use isa::uop::Inst;
use std::collections::BTreeMap;
use std::sync::Arc;

words! {
    /// Requests of an SM that keep their order.
    #[derive(Default)]
    pub enum Order {
        /// Requests for one word. So two words behave as if they were in different partitions,
        /// wherever the launch places its data.
        #[default]
        Words = "words",
        /// Requests to one memory partition of the chip.
        Partitions = "partitions",
        /// Every access takes effect at once, in the order of the steps.
        Sequential = "sequential",
    }
}

/// Bytes of an aligned segment: lanes of an instruction in one segment have one request.
const SEGMENT_BYTES: u32 = 128;

/// A destination row of a load: whether it has 64 bits, and its number.
pub(super) type Row = (bool, u16);

/// A request.
#[derive(Clone, Debug)]
pub(super) struct Request {
    /// Number of its block.
    pub block: u32,
    /// Number of its warp in the launch.
    pub warp: u32,
    /// Number among the requests of the warp.
    pub number: u32,
    /// Instruction index.
    pub pc: u32,
    /// Event of the step that issued it.
    pub issued: u32,
    /// The access, in the lanes of this request.
    pub access: Arc<Access>,
    /// The bytes that it accesses.
    pub touches: Vec<Touch>,
    /// Positions in the queue of its block.
    pub queue: Vec<Span>,
    /// Rows that its reply writes.
    pub rows: Vec<Row>,
}

impl Request {
    /// Whether it must stay behind an earlier request.
    pub fn follows(&self, earlier: &Self) -> bool {
        self.block == earlier.block && self.queue.iter().any(|span| meets(&earlier.queue, *span))
    }
}

/// Whether `span` overlaps one of `spans`.
pub(super) fn meets(spans: &[Span], span: Span) -> bool {
    spans.iter().any(|other| span.0 <= other.1 && other.0 <= span.1)
}

/// An access to global memory of one instruction.
pub(super) struct Issue<'a> {
    /// Numbers of block and warp.
    pub by: (u32, u32),
    /// Number of its first request.
    pub number: u32,
    /// The instruction.
    pub inst: &'a Inst,
    /// Its index.
    pub pc: u32,
    /// Event of the step.
    pub event: u32,
}

impl Issue<'_> {
    /// Divides the access into requests.
    pub fn requests(&self, access: &Access, order: Order, map: AddressMap) -> Vec<Request> {
        let unit = match order {
            Order::Partitions => map.chunk_bytes(),
            Order::Words | Order::Sequential => SEGMENT_BYTES,
        };
        let mut parts: BTreeMap<u32, u32> = BTreeMap::new();
        for lane in lanes(access.mask) {
            *parts.entry(access.addr[lane] / unit).or_default() |= 1 << lane;
        }
        let volatile = self.inst.aux & Inst::VOLATILE != 0;
        let rows = if access.answered() { rows(access) } else { Vec::new() };
        let request = |(number, (unit_number, mask)): (u32, (u32, u32))| {
            let spans = spans(&access.addr, mask, access.bytes);
            let access = Access { mask, ..access.clone() };
            let queue = match order {
                Order::Partitions => {
                    let partition = map.locate(unit_number * unit).0;
                    vec![(partition, partition)]
                }
                Order::Words | Order::Sequential => {
                    spans.iter().map(|(first, last)| (first / 4, last / 4)).collect()
                }
            };
            Request {
                block: self.by.0,
                warp: self.by.1,
                number,
                pc: self.pc,
                issued: self.event,
                touches: touches(Place::Global, &spans, &access, volatile),
                access: Arc::new(access),
                queue,
                rows: rows.clone(),
            }
        };
        (self.number..).zip(parts).map(request).collect()
    }
}

/// Returns the destination rows of a load or an atomic with a result.
fn rows(access: &Access) -> Vec<Row> {
    let Some(memory) = access.op.memory() else { return Vec::new() };
    let rows = access.dst.iter().take(memory.width.rows());
    rows.map(|row| (memory.width.is_wide(), *row)).collect()
}
