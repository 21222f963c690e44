//! Calls that allocate and free memory, handles and variables, and the comparison at the end.

use super::*;

impl Driver<'_> {
    pub(super) fn reset(&mut self) {
        assert_eq!(self.runtime.reset(&mut self.thread), Ok(()));
        self.model.reset_at(self.model.current);
        self.load();
    }

    pub(super) fn malloc(&mut self) {
        // No size is a multiple of the alignment, so that no allocations are adjacent.
        let (bytes, out) = (self.count(), self.out());
        self.last = format!("malloc {out:#x} {bytes}");
        let result = self.runtime.malloc(&self.thread, out, bytes);
        if self.agree(result, bytes <= 255 && out == OUT) && bytes > 0 {
            let at = self.host.word(OUT);
            let device = self.model.device();
            let clash =
                device.memory.iter().any(|(start, own)| at < start + own.len() as u64 && *start < at + bytes);
            assert!(!clash, "{at:#x} is in use");
            device.memory.insert(at, vec![None; bytes as usize]);
        }
    }

    pub(super) fn free(&mut self) {
        let at = self.pointer();
        let own = self.model.device().memory.contains_key(&at);
        let managed = self.model.blocks.get(&at).is_some_and(|block| block.kind == Kind::Managed);
        if own && self.model.block(at).is_some() {
            return;
        }
        self.last = format!("free {at:#x}");
        let right = at == 0 || managed || own && !self.model.device().variables.contains(&at);
        let result = self.runtime.free(&self.thread, at);
        if self.agree(result, right) && at != 0 {
            self.model.past.push(at);
            if managed {
                self.model.forget(at);
                self.model.host.remove(&at);
            } else {
                self.model.device().memory.remove(&at);
            }
        }
    }

    pub(super) fn allocate_block(&mut self) {
        let (bytes, out, managed) = (self.count(), self.out(), self.byte().is_multiple_of(2));
        let flags = self.pick(&[1, 2, 0, 4, 8, u32::MAX]);
        let right = bytes <= 255 && out == OUT;
        self.last = format!("block {out:#x} {bytes} {managed} {flags}");
        let (result, right) = if managed {
            let result = self.runtime.malloc_managed(&self.thread, out, bytes, flags);
            (result, right && matches!(flags, 1 | 2))
        } else {
            (self.runtime.host_alloc(&self.thread, out, bytes, flags), right && flags <= 7)
        };
        if self.agree(result, right) && bytes > 0 {
            let at = self.host.word(OUT);
            let kind = if managed { Kind::Managed } else { Kind::Pinned };
            self.model.host.insert(at, vec![Some(0); bytes.next_multiple_of(4096) as usize]);
            self.model.blocks.insert(at, Block { kind, bytes, device: self.model.current });
            self.map(at);
        }
    }

    pub(super) fn free_block(&mut self) {
        let at = self.pointer();
        let kind = self.model.blocks.get(&at).map(|block| block.kind);
        if self.byte().is_multiple_of(3) {
            let result = self.runtime.host_unregister(&self.thread, at);
            if self.agree(result, kind == Some(Kind::Registered)) {
                self.model.forget(at);
            }
            return;
        }
        let result = self.runtime.free_host(&self.thread, at);
        if self.agree(result, at == 0 || kind == Some(Kind::Pinned)) && at != 0 {
            self.model.forget(at);
            self.model.host.remove(&at);
            self.model.past.push(at);
        }
    }

    pub(super) fn register(&mut self) {
        let at = if self.byte().is_multiple_of(2) { PAGE } else { self.pointer() };
        let (bytes, flags) = (self.count(), self.pick(&[0, 2, 1, 8]));
        let end = at.checked_add(bytes);
        let free = |end: u64| {
            self.model.blocks.iter().all(|(start, block)| end <= *start || start + block.bytes <= at)
        };
        let right =
            flags <= 7 && bytes > 0 && inside(&self.model.host, at, bytes).is_some() && end.is_some_and(free);
        // The rest of a block's last page is freed with the block: no program registers it.
        if inside(&self.model.host, at, bytes).is_some_and(|(start, _)| ![PLAIN, PAGE].contains(&start)) {
            return;
        }
        self.last = format!("register {at:#x} {bytes} {flags}");
        let result = self.runtime.host_register(&self.thread, at, bytes, flags);
        if self.agree(result, right) {
            self.model.blocks.insert(at, Block { kind: Kind::Registered, bytes, device: self.model.current });
            self.map(at);
        }
    }

    pub(super) fn streams(&mut self) {
        if self.byte().is_multiple_of(2) {
            let (out, flags) = (self.out(), self.pick(&[0, 1, 2]));
            let result = self.runtime.stream_create(&self.thread, out, flags, 0);
            if self.agree(result, out == OUT && flags < 2) {
                self.model.streams.insert(self.host.word(OUT), self.model.current);
            }
            return;
        }
        let handle = self.stream();
        if self.byte().is_multiple_of(2) {
            let result = self.runtime.stream_synchronize(&self.thread, handle);
            self.agree(result, self.model.stream(handle));
            return;
        }
        let result = self.runtime.stream_destroy(&self.thread, handle);
        if self.agree(result, self.model.streams.contains_key(&handle)) {
            self.model.streams.remove(&handle);
            self.model.past.push(handle);
        }
    }

    pub(super) fn events(&mut self) {
        let (event, other, stream) = (self.event(), self.event(), self.stream());
        let known = self.model.events.get(&event).copied();
        let own = known.is_some_and(|event| event.device == self.model.current);
        self.last = format!("event {event:#x} {other:#x} {stream:#x}");
        match self.byte() % 6 {
            0 | 1 => {
                let (out, flags) = (self.out(), self.pick(&[0, 1, 2, 8]));
                let result = self.runtime.event_create(&self.thread, out, flags);
                if self.agree(result, out == OUT && flags < 8) {
                    let event = Event { device: self.model.current, timed: flags != 2, recorded: false };
                    self.model.events.insert(self.host.word(OUT), event);
                }
            }
            2 => {
                let result = self.runtime.event_record(&self.thread, event, stream);
                if self.agree(result, own && self.model.stream(stream)) {
                    self.model.events.get_mut(&event).expect("it is known").recorded = true;
                }
            }
            3 => {
                let ready = |event: Event| event.timed && event.recorded;
                let last = self.model.events.get(&other).copied();
                let same = known.map(|event| event.device) == last.map(|event| event.device);
                let right = known.is_some_and(ready) && last.is_some_and(ready) && same;
                let result = self.runtime.elapsed(&self.thread, OUT, event, other);
                self.agree(result, right);
            }
            4 => {
                let result = self.runtime.stream_wait(&self.thread, stream, event, 0);
                self.agree(result, known.is_some() && self.model.stream(stream));
            }
            _ if self.byte().is_multiple_of(2) => {
                let result = self.runtime.event_synchronize(&self.thread, event);
                self.agree(result, known.is_some());
            }
            _ => {
                let result = self.runtime.event_destroy(&self.thread, event);
                if self.agree(result, known.is_some()) {
                    self.model.events.remove(&event);
                }
            }
        }
    }

    pub(super) fn malloc_array(&mut self) {
        if self.byte().is_multiple_of(3) {
            let handle = self.array();
            let own = self.model.arrays.get(&handle).is_some_and(|array| array.device == self.model.current);
            let result = self.runtime.free_array(&self.thread, handle);
            if self.agree(result, own) {
                self.model.arrays.remove(&handle);
            }
            return;
        }
        "array".clone_into(&mut self.last);
        let (bits, out) = (self.pick(&[8, 8, 32, 7, -8, i32::MAX]), self.out());
        let channels: Vec<u8> = [bits, 0, 0, 0, 1].into_iter().flat_map(i32::to_le_bytes).collect();
        assert!(self.host.write(&[(OUT + 16, 20)], &channels));
        let (width, height) = (self.count(), u64::from(self.byte() % 4));
        let result = self.runtime.malloc_array(&self.thread, out, OUT + 16, [width, height, 0], 0);
        let right = matches!(bits, 8 | 32) && (1..=255).contains(&width) && out == OUT;
        if self.agree(result, right) {
            let width = width * bits as u64 / 8;
            let bytes = vec![None; (width * height.max(1)) as usize];
            let array = Array { device: self.model.current, width, bytes };
            self.model.arrays.insert(self.host.word(OUT), array);
        }
    }

    /// A copy of a part of a row between host memory and an array.
    pub(super) fn copy_array(&mut self) {
        let (handle, x, y, width) = (self.array(), self.count(), self.count() % 5, self.count());
        let (offset, to_array) = (u64::from(self.byte()), self.byte().is_multiple_of(2));
        let known =
            self.model.arrays.get(&handle).filter(|array| array.device == self.model.current).cloned();
        let fits = |array: &Array| {
            let rows = array.bytes.len() as u64 / array.width;
            x.checked_add(width).is_some_and(|end| end <= array.width) && y < rows
        };
        let right = known.as_ref().is_some_and(|array| width == 0 || fits(array));
        let (memory, array) = (End::Memory(Rows::line(PLAIN + offset)), End::Array(handle, [x, y, 0]));
        let (to, from, kind) = if to_array { (array, memory, 1) } else { (memory, array, 2) };
        self.last = format!("array {handle:#x} {x} {y} {width} {to_array}");
        let result = self.runtime.copy_ends(&self.thread, to, from, Shape::line(width), kind, 0);
        let (true, Some(mut array)) = (self.agree(result, right && width <= 255), known) else { return };
        if width == 0 {
            return;
        }
        let range = (y * array.width + x) as usize..(y * array.width + x + width) as usize;
        let place = Place::Host(PLAIN, offset as usize);
        if to_array {
            array.bytes[range].copy_from_slice(&self.model.bytes(place, width));
            self.model.arrays.insert(handle, array);
        } else {
            self.model.write(place, &array.bytes[range]);
        }
    }

    pub(super) fn copy_symbol(&mut self) {
        let (count, start, to_symbol) = (self.count(), self.count(), self.byte().is_multiple_of(2));
        let (symbol, kind) =
            (self.pick(&[VARIABLE, VARIABLE, VARIABLE, KERNEL, 0]), i32::from(self.byte() % 5));
        let other = PLAIN + u64::from(self.byte());
        self.last = format!("symbol {symbol} {other:#x} {count} {start} {kind} {to_symbol}");
        let part = SymbolPart { symbol, offset: start, count };
        let result = self.runtime.copy_symbol(&self.thread, part, other, kind, 0, to_symbol);
        let fits = start.checked_add(count).is_some_and(|end| end <= VARIABLE_BYTES);
        let sided = kind != if to_symbol { 2 } else { 1 } && kind != 0;
        // Any device address is accepted for a registered block.
        let side = if kind == 3 { Side::Device } else { Side::Host };
        let directed = self.model.place(other, count, side) != Place::Bad;
        let right = symbol == VARIABLE && fits && sided && (count == 0 || directed);
        if self.agree(result, right) && count > 0 {
            let own = Place::Device(self.model.device().variable, start as usize);
            let other = Place::Host(PLAIN, (other - PLAIN) as usize);
            let (to, from) = if to_symbol { (own, other) } else { (other, own) };
            let bytes = self.model.bytes(from, count);
            self.model.write(to, &bytes);
        }
    }

    /// A copy from the current device to the other one.
    pub(super) fn copy_peer(&mut self) {
        let (from, bytes) = (self.pointer(), self.count());
        let current = self.model.current;
        // Contexts have no numbers.
        if current > 1 {
            return;
        }
        let other = 1 - current;
        let Some(to) = self.model.devices[other].memory.keys().next_back().copied() else { return };
        let source = self.model.place(from, bytes, Side::Device);
        if !matches!(source, Place::Device(..) | Place::Bad) || self.model.block(from).is_some() {
            return;
        }
        self.model.current = other;
        let target = self.model.place(to, bytes, Side::Device);
        self.model.current = current;
        if !matches!(target, Place::Device(..) | Place::Bad) {
            return;
        }
        self.last = format!("peer {to:#x} {from:#x} {bytes}: {target:x?} {source:x?}");
        let result =
            self.runtime.copy_peer(&self.thread, (to, other as i32), (from, current as i32), bytes, 0);
        let right = bytes == 0 || source != Place::Bad && target != Place::Bad;
        if self.agree(result, right && !self.model.devices[other].failed) && bytes > 0 {
            let data = self.model.bytes(source, bytes);
            self.model.current = other;
            self.model.write(target, &data);
            self.model.current = current;
        }
    }

    /// Compares all memory, and frees it.
    pub(super) fn compare(&mut self) {
        for (start, bytes) in &self.model.host {
            let own = self.host.range(*start).expect("the model has no other memory");
            same(&own, bytes, *start);
        }
        for number in 0..self.model.devices.len() {
            if !self.model.exists(number) {
                continue;
            }
            let context = self.model.contexts.iter().find(|(_, slot)| **slot == number);
            if let Some((handle, _)) = context {
                assert_eq!(self.runtime.ctx_set_current(&mut self.thread, *handle), Ok(()));
                self.model.stack.pop();
                self.model.stack.push((*handle, number));
                self.model.current = number;
            } else {
                self.switch(number);
            }
            if !self.model.works() {
                continue;
            }
            let modules = self.model.modules.iter().filter(|(_, module)| module.device == number);
            for handle in modules.map(|(handle, _)| *handle).collect::<Vec<_>>() {
                assert_eq!(self.runtime.module_unload(&self.thread, handle), Ok(()));
                self.model.unload(handle);
            }
            for (start, bytes) in self.model.device().memory.clone() {
                let shape = Shape::line(bytes.len() as u64);
                let copied =
                    self.runtime.copy(&self.thread, Rows::line(PLAIN), Rows::line(start), shape, 2, 0);
                assert_eq!(copied, Ok(()), "{start:#x}");
                same(&self.host.range(PLAIN).expect("it is there")[..bytes.len()], &bytes, start);
                if start != self.model.device().variable {
                    assert_eq!(self.runtime.free(&self.thread, start), Ok(()));
                }
            }
            for (handle, array) in self.model.arrays.clone() {
                if array.device == number {
                    assert_eq!(self.runtime.free_array(&self.thread, handle), Ok(()));
                }
            }
            assert_eq!(self.runtime.mem_info(&self.thread, OUT, OUT + 8), Ok(()));
            assert_eq!(self.host.word(OUT), self.model.device().free, "all memory is freed");
        }
        self.runtime.finish();
    }
}

fn same(own: &[u8], expected: &[Byte], start: u64) {
    for (at, (own, expected)) in own.iter().zip(expected).enumerate() {
        assert!(expected.is_none_or(|byte| byte == *own), "byte {at} of {start:#x}: {own}, not {expected:?}");
    }
}
