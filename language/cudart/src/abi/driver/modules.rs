//! Modules and links.

use super::driver;
use crate::abi::Address;
use std::ffi::c_int;

driver! {
    Context cuModuleLoad(out: Address, name: Address) |runtime, thread|
        runtime.module_load(thread, out as u64, name as u64);
    Context cuModuleLoadData(out: Address, image: Address) |runtime, thread|
        runtime.module_load_data(thread, out as u64, image as u64, (0, 0, 0));
    Context cuModuleLoadDataEx(out: Address, image: Address, count: u32, options: Address, values: Address)
        |runtime, thread| runtime.module_load_data(
            thread, out as u64, image as u64, (count, options as u64, values as u64));
    Context cuModuleLoadFatBinary(out: Address, image: Address) |runtime, thread|
        runtime.module_load_data(thread, out as u64, image as u64, (0, 0, 0));
    Context cuModuleUnload(module: Address) |runtime, thread| runtime.module_unload(thread, module as u64);
    Context cuModuleGetFunction(out: Address, module: Address, name: Address) |runtime, thread|
        runtime.module_function(thread, out as u64, module as u64, name as u64);
    Context cuModuleGetGlobal_v2 = cuModuleGetGlobal(out: Address, bytes: Address, module: Address,
        name: Address) |runtime, thread| runtime.module_variable(
            thread, out as u64, bytes as u64, module as u64, name as u64);
    Context cuModuleGetTexRef(out: Address, module: Address, name: Address) |runtime, thread|
        runtime.module_texture(thread, out as u64, module as u64, name as u64);
    Context cuModuleGetSurfRef(out: Address, module: Address, name: Address) |runtime, thread|
        runtime.module_surface(thread, out as u64, module as u64, name as u64);
    Context cuLinkCreate_v2 = cuLinkCreate(count: u32, options: Address, values: Address, out: Address)
        |runtime, thread| runtime.link_create((count, options as u64, values as u64), out as u64);
    Context cuLinkAddData_v2 = cuLinkAddData(link: Address, kind: c_int, data: Address, bytes: usize,
        name: Address, count: u32, options: Address, values: Address) |runtime, thread|
            runtime.link_add(link as u64, kind as u32, data as u64, bytes as u64);
    Context cuLinkAddFile_v2 = cuLinkAddFile(link: Address, kind: c_int, name: Address, count: u32,
        options: Address, values: Address) |runtime, thread|
            runtime.link_add_file(link as u64, kind as u32, name as u64);
    Context cuLinkComplete(link: Address, out: Address, bytes: Address) |runtime, thread|
        runtime.link_complete(thread, link as u64, out as u64, bytes as u64);
    Init cuLinkDestroy(link: Address) |runtime, thread| runtime.link_destroy(link as u64);
}
