//! `cuLink…`: PTX texts that are linked to one image. The image is the texts with a line between
//! them; a module that is loaded from it is compiled from all of them.

use super::Done;
use super::modules::{JitOptions, SEPARATOR};
use super::status::Status;
use crate::runtime::LONGEST_NAME;
use crate::runtime::Runtime;
use crate::runtime::thread::Thread;

/// A link.
#[derive(Debug, Default)]
pub struct Link {
    texts: Vec<String>,
    /// Address and bytes of the image.
    image: Option<(u64, u64)>,
    options: JitOptions,
}

/// Bytes of a page, of which host memory is allocated.
const PAGE: u64 = 4096;

/// Largest size of all texts of a link.
const MOST_TEXT: usize = 1 << 28;

/// `CU_JIT_INPUT_CUBIN` to `CU_JIT_INPUT_LIBRARY`: `warpcc` writes PTX for all of them.
const KINDS: u32 = 5;

impl Runtime {
    /// `cuLinkCreate`.
    pub fn link_create(&mut self, (count, numbers, values): (u32, u64, u64), out: u64) -> Done {
        let options = self.jit_options(count, numbers, values)?;
        let handle = self.handle();
        self.put_word(out, handle)?;
        self.driver.links.insert(handle, Link { options, ..Link::default() });
        Ok(())
    }

    /// `cuLinkAddData`.
    pub fn link_add(&mut self, handle: u64, kind: u32, data: u64, bytes: u64) -> Done {
        self.check_link(handle, kind)?;
        let mut text = self.get(data, bytes)?;
        if text.starts_with(b"\x7fELF") {
            return Err(Status::NO_BINARY_FOR_GPU);
        }
        if let Some(end) = text.iter().position(|byte| *byte == 0) {
            text.truncate(end);
        }
        let text = String::from_utf8(text).map_err(|_| Status::INVALID_IMAGE)?;
        self.add_text(handle, text)
    }

    /// `cuLinkAddFile`. The library of device functions is part of the compiler.
    pub fn link_add_file(&mut self, handle: u64, kind: u32, name: u64) -> Done {
        self.check_link(handle, kind)?;
        let name = self.get_text(name, LONGEST_NAME)?;
        if name.ends_with("libcudadevrt.a") {
            return Ok(());
        }
        let text = self.code_in(&name)?;
        self.add_text(handle, text)
    }

    fn check_link(&self, handle: u64, kind: u32) -> Done {
        let link = self.driver.links.get(&handle).ok_or(Status::INVALID_HANDLE)?;
        if kind >= KINDS || link.image.is_some() { Err(Status::INVALID_VALUE) } else { Ok(()) }
    }

    fn add_text(&mut self, handle: u64, text: String) -> Done {
        let link = self.driver.links.get_mut(&handle).ok_or(Status::INVALID_HANDLE)?;
        if link.texts.iter().map(String::len).sum::<usize>() + text.len() > MOST_TEXT {
            return Err(Status::OUT_OF_MEMORY);
        }
        link.texts.push(text);
        Ok(())
    }

    /// `cuLinkComplete`: checks that the texts can be compiled together.
    pub fn link_complete(&mut self, thread: &Thread, handle: u64, out: u64, bytes: u64) -> Done {
        let link = self.driver.links.get(&handle).ok_or(Status::INVALID_HANDLE)?;
        if link.image.is_some() || link.texts.is_empty() {
            return Err(Status::INVALID_VALUE);
        }
        let (texts, options) = (link.texts.clone(), link.options);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        self.compile_texts(thread, &texts, options)?;
        let mut image = texts.join(SEPARATOR).into_bytes();
        image.push(0);
        let size = image.len() as u64;
        let pages = size.next_multiple_of(PAGE);
        let address = self.process.allocate(0, pages).ok_or(Status::OUT_OF_MEMORY)?;
        if let Some(link) = self.driver.links.get_mut(&handle) {
            link.image = Some((address, pages));
        }
        self.put(address, &image)?;
        self.put_word(out, address)?;
        if bytes == 0 { Ok(()) } else { Ok(self.put_word(bytes, size)?) }
    }

    /// `cuLinkDestroy`: frees the image.
    pub fn link_destroy(&mut self, handle: u64) -> Done {
        let link = self.driver.links.remove(&handle).ok_or(Status::INVALID_HANDLE)?;
        if let Some((address, bytes)) = link.image {
            self.process.release(address, bytes);
        }
        Ok(())
    }
}
