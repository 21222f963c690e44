//! Functions of images: creation, queries and commands.

#![cfg_attr(not(target_arch = "wasm32"), expect(non_snake_case, reason = "the names of OpenCL"))]

use super::api;
use super::commands::{Waits, enqueue, own, triple};
use crate::objects::State;
use crate::objects::command::{Action, types};
use crate::objects::image::{Format, IMAGE2D, IMAGE3D, Wanted};
use crate::objects::memory::Rows;
use crate::status::{Done, Status};

/// Types of images of OpenCL 1.2: layers, one dimension, and elements of a buffer. No format is
/// listed for them.
const OTHER_IMAGES: std::ops::RangeInclusive<u32> = 0x10F3..=0x10F6;

/// Reads `cl_image_desc`, and checks its type.
fn description(state: &State, address: u64) -> Done<Wanted> {
    let error = Status::INVALID_IMAGE_DESCRIPTOR;
    let words = state.words(address, 9).map_err(|_| error)?;
    let [kind, width, height, depth, _, row, slice, levels, buffer] =
        <[u64; 9]>::try_from(words).map_err(|_| error)?;
    // The upper half of the first word is a gap; one word has mipmap levels and samples.
    let dimensions = match kind as u32 {
        IMAGE2D => 2,
        IMAGE3D => 3,
        other if OTHER_IMAGES.contains(&other) => return Err(Status::IMAGE_FORMAT_NOT_SUPPORTED),
        _ => return Err(error),
    };
    if levels != 0 || buffer != 0 {
        return Err(error);
    }
    // An image of two dimensions has neither a depth nor slices.
    let (depth, slice) = if dimensions == 3 { (depth, slice) } else { (1, 0) };
    Ok(Wanted { dimensions, size: [width, height, depth], pitches: [row, slice], error })
}

/// The copy that a transfer of a region makes.
fn transfer(state: &State, image: u64, places: [u64; 2], host: (u64, [u64; 2])) -> Done<Rows> {
    let [origin, region] = [triple(state, places[0])?, triple(state, places[1])?];
    state.image_rows(image, origin, region, host)
}

api! {
    fn clCreateImage2D(
        context: u64, flags: u64, format: u64, width: u64, height: u64, row: u64, host: u64; error
    ) |state| {
        state.context(context)?;
        let format = state.image_format(format)?;
        let (size, error) = ([width, height, 1], Status::INVALID_IMAGE_SIZE);
        let wanted = Wanted { dimensions: 2, size, pitches: [row, 0], error };
        state.create_image(context, flags, format, wanted, host)
    };

    fn clCreateImage3D(
        context: u64, flags: u64, format: u64, width: u64, height: u64, depth: u64, row: u64, slice: u64,
        host: u64; error
    ) |state| {
        state.context(context)?;
        let format = state.image_format(format)?;
        let error = Status::INVALID_IMAGE_SIZE;
        if depth <= 1 {
            return Err(error);
        }
        let wanted = Wanted { dimensions: 3, size: [width, height, depth], pitches: [row, slice], error };
        state.create_image(context, flags, format, wanted, host)
    };

    fn clCreateImage(context: u64, flags: u64, format: u64, described: u64, host: u64; error) |state| {
        state.context(context)?;
        let format = state.image_format(format)?;
        let wanted = description(state, described)?;
        state.create_image(context, flags, format, wanted, host)
    };

    fn clGetSupportedImageFormats(
        context: u64, flags: u64, kind: u32, entries: u32, formats: u64, count: u64
    ) |state| {
        state.context(context)?;
        State::check_flags(flags & 7, 0)?;
        let all = match kind {
            IMAGE2D | IMAGE3D => Format::all(),
            other if OTHER_IMAGES.contains(&other) => Vec::new(),
            _ => return Err(Status::INVALID_VALUE),
        };
        if entries == 0 && formats != 0 {
            return Err(Status::INVALID_VALUE);
        }
        if formats != 0 {
            let listed = all.iter().take(entries as usize);
            let bytes: Vec<u8> =
                listed.flat_map(|one| [one.order, one.kind]).flat_map(u32::to_le_bytes).collect();
            state.runtime.put(formats, &bytes)?;
        }
        if count != 0 {
            state.runtime.put_int(count, all.len() as i32)?;
        }
        Ok(())
    };

    fn clGetImageInfo(handle: u64, name: u32, size: u64, out: u64, needed: u64) |state| {
        let answer = state.image_info(handle, name)?;
        state.answer(&answer.bytes(), size, out, needed)
    };

    fn clEnqueueReadImage(
        queue: u64, image: u64, blocking: u32, origin: u64, region: u64, row: u64, slice: u64, host: u64,
        count: u32, list: u64, event: u64
    ) |state| {
        let waits = Waits { count, list, event };
        enqueue(state, queue, types::READ_IMAGE, waits, blocking != 0, |state, context| {
            own(state, image, context)?;
            Ok(Action::Read(transfer(state, image, [origin, region], (host, [row, slice]))?))
        })
    };

    fn clEnqueueWriteImage(
        queue: u64, image: u64, blocking: u32, origin: u64, region: u64, row: u64, slice: u64, host: u64,
        count: u32, list: u64, event: u64
    ) |state| {
        let waits = Waits { count, list, event };
        enqueue(state, queue, types::WRITE_IMAGE, waits, blocking != 0, |state, context| {
            own(state, image, context)?;
            Ok(Action::Write(transfer(state, image, [origin, region], (host, [row, slice]))?))
        })
    };

    fn clEnqueueCopyImage(
        queue: u64, from: u64, to: u64, from_origin: u64, to_origin: u64, region: u64, count: u32,
        list: u64, event: u64
    ) |state| {
        enqueue(state, queue, types::COPY_IMAGE, Waits { count, list, event }, false, |state, context| {
            own(state, from, context)?;
            own(state, to, context)?;
            let (source, target) = ((from, triple(state, from_origin)?), (to, triple(state, to_origin)?));
            let (rows, other) = state.image_copy(source, target, triple(state, region)?)?;
            Ok(Action::Copy(rows, to, other))
        })
    };

    fn clEnqueueCopyImageToBuffer(
        queue: u64, from: u64, to: u64, origin: u64, region: u64, offset: u64, count: u32, list: u64,
        event: u64
    ) |state| {
        let waits = Waits { count, list, event };
        enqueue(state, queue, types::COPY_IMAGE_TO_BUFFER, waits, false, |state, context| {
            own(state, from, context)?;
            own(state, to, context)?;
            let (image, region) = ((from, triple(state, origin)?), triple(state, region)?);
            let (device, other, bytes) = state.image_and_buffer(image, region, (to, offset))?;
            Ok(Action::Copy(Rows { memory: from, device, host: Vec::new(), bytes }, to, other))
        })
    };

    fn clEnqueueCopyBufferToImage(
        queue: u64, from: u64, to: u64, offset: u64, origin: u64, region: u64, count: u32, list: u64,
        event: u64
    ) |state| {
        let waits = Waits { count, list, event };
        enqueue(state, queue, types::COPY_BUFFER_TO_IMAGE, waits, false, |state, context| {
            own(state, from, context)?;
            own(state, to, context)?;
            let (image, region) = ((to, triple(state, origin)?), triple(state, region)?);
            let (other, device, bytes) = state.image_and_buffer(image, region, (from, offset))?;
            Ok(Action::Copy(Rows { memory: from, device, host: Vec::new(), bytes }, to, other))
        })
    };

    fn clEnqueueFillImage(
        queue: u64, image: u64, color: u64, origin: u64, region: u64, count: u32, list: u64, event: u64
    ) |state| {
        enqueue(state, queue, types::FILL_IMAGE, Waits { count, list, event }, false, |state, context| {
            own(state, image, context)?;
            if color == 0 {
                return Err(Status::INVALID_VALUE);
            }
            // Four floats or integers.
            let color = state.runtime.get(color, 16)?;
            let [origin, region] = [triple(state, origin)?, triple(state, region)?];
            Ok(Action::Fill(state.image_fill(image, &color, origin, region)?))
        })
    };

    fn clEnqueueMapImage(
        queue: u64, image: u64, blocking: u32, access: u64, origin: u64, region: u64, row: u64, slice: u64,
        count: u32, list: u64, event: u64; error
    ) |state| {
        let mut host = 0;
        let waits = Waits { count, list, event };
        let until = enqueue(state, queue, types::MAP_IMAGE, waits, blocking != 0, |state, context| {
            own(state, image, context)?;
            let is_3d = state.image(image)?.dimensions == 3;
            if row == 0 || is_3d && slice == 0 {
                return Err(Status::INVALID_VALUE);
            }
            let [origin, region] = [triple(state, origin)?, triple(state, region)?];
            let (rows, pitches) = state.image_map(image, access, origin, region)?;
            state.runtime.put_word(row, pitches[0])?;
            if slice != 0 {
                state.runtime.put_word(slice, if is_3d { pitches[1] } else { 0 })?;
            }
            host = rows.host[0];
            Ok(Action::Read(rows))
        });
        Ok((host, until?))
    };
}
