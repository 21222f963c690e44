//! A model of the runtime: live allocations with their bytes, live handles, and the error of each
//! device. It knows nothing about the runtime's own tables.

use crate::host::{Ranges, inside};
use std::collections::{BTreeMap, BTreeSet};

/// A byte; `None` if its value is undefined.
pub type Byte = Option<u8>;

/// A device.
#[derive(Clone, Debug, Default)]
pub struct Device {
    /// Device memory, with variables.
    pub memory: Ranges<Byte>,
    /// Address of the variable of the program.
    pub variable: u64,
    /// Addresses of all variables, which cannot be freed.
    pub variables: BTreeSet<u64>,
    /// Addresses of host blocks on the device: the address and the host address.
    pub aliases: BTreeMap<u64, u64>,
    /// Whether a kernel has trapped.
    pub failed: bool,
    /// Free bytes before the first allocation.
    pub free: u64,
}

/// Kind of a block of host memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Pinned,
    Managed,
    Registered,
}

/// Host memory that devices access.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    pub kind: Kind,
    pub bytes: u64,
    pub device: usize,
}

/// An event.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    pub device: usize,
    pub timed: bool,
    pub recorded: bool,
}

/// An array.
#[derive(Clone, Debug)]
pub struct Array {
    pub device: usize,
    pub width: u64,
    pub bytes: Vec<Byte>,
}

/// A module of the driver API.
#[derive(Clone, Copy, Debug)]
pub struct Module {
    pub device: usize,
    pub function: u64,
    pub variable: u64,
}

/// Memory that a pointer points to: a range and an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Device(u64, usize),
    Host(u64, usize),
    /// The call has to fail.
    Bad,
    /// The number has two meanings; the driver makes no such call.
    Unclear,
}

/// Sides of a `cudaMemcpyKind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Host,
    Device,
    Any,
}

/// The model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub devices: Vec<Device>,
    pub current: usize,
    /// Device of calls without a context on the stack.
    pub chosen: usize,
    /// Contexts that are not primary, with their devices, which follow the two real ones.
    pub contexts: BTreeMap<u64, usize>,
    /// The stack of the thread: handles and devices, the current one last.
    pub stack: Vec<(u64, usize)>,
    pub modules: BTreeMap<u64, Module>,
    pub host: Ranges<Byte>,
    pub blocks: BTreeMap<u64, Block>,
    pub streams: BTreeMap<u64, usize>,
    pub events: BTreeMap<u64, Event>,
    pub arrays: BTreeMap<u64, Array>,
    /// Pointers and handles that were valid once.
    pub past: Vec<u64>,
}

impl Model {
    /// The current device.
    pub fn device(&mut self) -> &mut Device {
        &mut self.devices[self.current]
    }

    /// Whether calls of the current device are executed.
    pub fn works(&self) -> bool {
        !self.devices[self.current].failed
    }

    /// Whether a stream can be used.
    pub fn stream(&self, handle: u64) -> bool {
        handle <= 2 || self.streams.get(&handle) == Some(&self.current)
    }

    /// Returns the host block that contains an address.
    pub fn block(&self, at: u64) -> Option<u64> {
        let (start, block) = self.blocks.range(..=at).next_back()?;
        (at - start < block.bytes).then_some(*start)
    }

    /// Returns the host address for an address at which a block is mapped.
    fn alias(&self, at: u64) -> Option<u64> {
        let (start, host) = self.devices[self.current].aliases.range(..=at).next_back()?;
        let block = self.blocks.get(host)?;
        (at - start < block.bytes).then(|| host + (at - start))
    }

    /// Returns the memory of `bytes` bytes at a pointer.
    pub fn place(&self, at: u64, bytes: u64, side: Side) -> Place {
        let device = &self.devices[self.current];
        if at == 0 {
            return Place::Bad;
        }
        let block = self.block(at);
        let alias = self.alias(at);
        let own = inside(&device.memory, at, 0).is_some();
        // An array may have taken freed memory, and its address is unknown.
        if !own
            && block.is_none()
            && self.arrays.values().any(|array| array.device == self.current)
            && at < 1 << 32
        {
            return Place::Unclear;
        }
        let host = |at| {
            inside(&self.host, at, bytes).map_or(Place::Bad, |(start, offset)| Place::Host(start, offset))
        };
        if side == Side::Host && block.is_some() {
            return host(at);
        }
        if alias.is_some_and(|host| host != at) && block.is_some() || own && block.is_some() {
            return Place::Unclear;
        }
        if let Some(at) = alias.or(block.map(|_| at)) {
            return host(at);
        }
        match (side, own) {
            (Side::Device | Side::Any, true) => inside(&device.memory, at, bytes)
                .map_or(Place::Bad, |(start, offset)| Place::Device(start, offset)),
            (Side::Device, false) => Place::Bad,
            (Side::Host | Side::Any, _) => host(at),
        }
    }

    /// Returns the bytes of a place.
    pub fn bytes(&self, place: Place, bytes: u64) -> Vec<Byte> {
        let of =
            |ranges: &Ranges<Byte>, start, offset| ranges[&start][offset..offset + bytes as usize].to_vec();
        match place {
            Place::Device(start, offset) => of(&self.devices[self.current].memory, start, offset),
            Place::Host(start, offset) => of(&self.host, start, offset),
            Place::Bad | Place::Unclear => unreachable!("only right places are read"),
        }
    }

    /// Writes the bytes of a place.
    pub fn write(&mut self, place: Place, bytes: &[Byte]) {
        let (ranges, start, offset) = match place {
            Place::Device(start, offset) => (&mut self.devices[self.current].memory, start, offset),
            Place::Host(start, offset) => (&mut self.host, start, offset),
            Place::Bad | Place::Unclear => unreachable!("only right places are written"),
        };
        let range = ranges.get_mut(&start).expect("the place exists");
        range[offset..offset + bytes.len()].copy_from_slice(bytes);
    }

    /// Forgets a block, with its addresses on all devices.
    pub fn forget(&mut self, start: u64) {
        self.blocks.remove(&start);
        for device in &mut self.devices {
            device.aliases.retain(|_, host| *host != start);
        }
    }

    /// Whether a context of the stack exists.
    pub fn lives(&self, handle: u64, slot: usize) -> bool {
        slot < 2 || self.contexts.get(&handle) == Some(&slot)
    }

    /// Whether a device is real or the device of a context.
    pub fn exists(&self, slot: usize) -> bool {
        slot < 2 || self.contexts.values().any(|used| *used == slot)
    }

    /// Unloads a module.
    pub fn unload(&mut self, handle: u64) {
        let Some(Module { device, function, variable }) = self.modules.remove(&handle) else { return };
        self.devices[device].memory.remove(&variable);
        self.devices[device].variables.remove(&variable);
        self.past.extend([function, variable, handle]);
    }

    /// Resets a device.
    pub fn reset_at(&mut self, number: usize) {
        self.devices[number] = Device::default();
        let gone: Vec<u64> =
            self.blocks.iter().filter(|(_, b)| b.device == number).map(|(at, _)| *at).collect();
        for start in gone {
            self.forget(start);
        }
        self.streams.retain(|_, device| *device != number);
        self.events.retain(|_, event| event.device != number);
        self.arrays.retain(|_, array| array.device != number);
        self.modules.retain(|_, module| module.device != number);
    }
}
