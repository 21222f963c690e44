//! The tables of `docs/MODEL.md` are those of the built-in chips: `BLESS=1` writes them.
//!
//! A table is between `<!-- table NAME … -->` and `<!-- end of table NAME -->`.

use isa::uop::Class;
use sim_core::config::builtin::simulated_names;
use sim_core::config::{
    BankRule, CacheShape, Chip, ConstLevelConfig, L1Config, L2Config, MapKind, RegisterScope, SecondPort,
};
use sim_core::stats::build::chip_report;
use std::fmt::Write;
use std::path::Path;

/// A table of the page: its name in the markers, and the function that makes it.
type Table = (&'static str, fn() -> String);

/// The tables of the page, in the order of the page.
const TABLES: [Table; 7] = [
    ("boards", boards),
    ("sm", sms),
    ("caches", caches),
    ("latencies", latencies),
    ("memory", memory),
    ("dram", dram),
    ("host", host),
];

/// Chips that differ in their SMs; other boards have the SM of their base.
const GENERATIONS: [&str; 5] = ["g80", "gt200", "fermi", "c2050", "gtx460"];

/// Every built-in chip that runs programs.
fn simulated() -> Vec<Chip> {
    simulated_names().map(chip).collect()
}

fn chip(name: &str) -> Chip {
    Chip::builtin(name).expect("a built-in chip")
}

fn row(table: &mut String, cells: &[String]) {
    writeln!(table, "| {} |", cells.join(" | ")).expect("a string grows");
}

/// Begins a table.
fn head(titles: &[&str]) -> String {
    let mut table = String::new();
    row(&mut table, &titles.iter().map(|title| (*title).to_owned()).collect::<Vec<_>>());
    writeln!(table, "|{}", "---|".repeat(titles.len())).expect("a string grows");
    table
}

/// A row of a table with a column for each chip: its title, and the text of a chip.
type Row<'a> = (&'a str, &'a dyn Fn(&Chip) -> String);

/// A table with a column for each of [`GENERATIONS`].
fn by_generation(first: &str, rows: &[Row]) -> String {
    let chips = GENERATIONS.map(chip);
    let titles = GENERATIONS.map(|name| format!("`{name}`"));
    let mut table = head(&[&[first][..], &titles.each_ref().map(String::as_str)[..]].concat());
    for (title, cell) in rows {
        row(
            &mut table,
            &std::iter::once((*title).to_owned()).chain(chips.iter().map(cell)).collect::<Vec<_>>(),
        );
    }
    table
}

fn mhz(khz: u64) -> String {
    format!("{}", khz as f64 / 1e3)
}

/// Returns a dash for a part that a chip does not have.
fn or_none<T>(part: Option<T>, text: impl Fn(T) -> String) -> String {
    part.map_or_else(|| "–".to_owned(), text)
}

fn kib(bytes: u32) -> String {
    format!("{} KB", bytes >> 10)
}

/// Results of a class per shader cycle and SM, by its unit alone.
fn per_cycle(chip: &Chip, class: Class) -> f64 {
    let sm = &chip.sm;
    let cost = sm.classes[class as usize];
    let unit = &sm.units[cost.unit as usize];
    let units = unit.count * if unit.per_scheduler { sm.schedulers } else { 1 };
    f64::from(32 * units) / f64::from(cost.busy(&sm.units))
}

/// Peak of double precision in GFLOP/s.
fn double(chip: &Chip) -> Option<f64> {
    let sms = chip.clusters * chip.cluster.sms;
    let rate = 2.0 * per_cycle(chip, Class::DFma) * f64::from(sms) * chip.clocks.shader_khz as f64 / 1e6;
    (chip.capability >= isa::types::Capability::new(1, 3)).then_some(rate)
}

fn boards() -> String {
    let mut table = head(&[
        "chip",
        "board",
        "compute capability",
        "SMs (clusters × SMs)",
        "shader, core, memory clock, MHz",
        "partitions",
        "peak f32, f64, GFLOP/s",
        "peak, GB/s",
        "memory, MiB",
    ]);
    for chip in simulated() {
        let (report, clocks) = (chip_report(&chip), chip.clocks);
        let clocks = [clocks.shader_khz, clocks.core_khz, clocks.memory_khz].map(mhz).join(", ");
        let sms = format!("{} ({} × {})", report.sms, chip.clusters, chip.cluster.sms);
        let f64_peak = or_none(double(&chip), |rate| format!("{rate:.1}"));
        let cells = [
            format!("`{}`", chip.name),
            report.board,
            report.capability,
            sms,
            clocks,
            chip.partitions.to_string(),
            format!("{:.1}, {f64_peak}", report.peak_gflops),
            format!("{:.1}", report.peak_gbps),
            (chip.memory_bytes >> 20).to_string(),
        ];
        row(&mut table, &cells);
    }
    table
}

/// The execution units in words.
fn units(chip: &Chip) -> String {
    let unit = |unit: &sim_core::config::UnitConfig| {
        let each = if unit.per_scheduler { " per scheduler" } else { "" };
        let count = if unit.count > 1 { format!("{} × ", unit.count) } else { String::new() };
        format!("{} {count}{}{each}", unit.name, unit.lanes)
    };
    chip.sm.units.iter().map(unit).collect::<Vec<_>>().join(", ")
}

fn sms() -> String {
    by_generation(
        "SM",
        &[
            ("warps, threads, blocks", &|c| {
                format!("{}, {}, {}", c.sm.max_warps, c.sm.max_threads, c.sm.max_blocks)
            }),
            ("registers; allocated in units of", &|c| {
                let scope = match c.allocation.register_scope {
                    RegisterScope::Block => "block",
                    RegisterScope::Warp => "warp",
                };
                format!("{}; {} by {scope}", c.sm.registers, c.allocation.register_unit)
            }),
            ("most registers per thread", &|c| c.limits.registers_per_thread.to_string()),
            ("shared memory; allocated in units of", &|c| {
                format!("{}; {} B", kib(c.sm.shared_bytes), c.allocation.shared_unit)
            }),
            ("banks, lanes at a time, cycles of a pass", &|c| {
                let rule = match c.sm.shared.rule {
                    BankRule::OneBroadcast => "one broadcast word",
                    BankRule::Multicast => "multicast",
                };
                let s = c.sm.shared;
                format!("{}, {}, {}; {rule}", s.banks, s.group, s.pass_cycles)
            }),
            ("latency of each further pass", &|c| c.sm.shared.conflict_latency.to_string()),
            ("schedulers, cycles of an issue", &|c| format!("{}, {}", c.sm.schedulers, c.sm.issue_period)),
            ("second dispatch port", &|c| match c.sm.second_port {
                SecondPort::None => "none".to_owned(),
                SecondPort::AnyWarp => "another warp".to_owned(),
                SecondPort::SameWarp => "the same warp".to_owned(),
            }),
            ("units, lanes", &units),
            ("cycles after a barrier", &|c| c.sm.barrier_cycles.to_string()),
            ("shared operand: cycles of the unit, added latency", &|c| {
                let shared = c.sm.operands.shared;
                if c.allocation.params_in_shared {
                    format!("{}, {}", shared.cycles, shared.latency)
                } else {
                    "–".to_owned()
                }
            }),
            ("coalescing rule", &|c| format!("`{}`", c.sm.lsu.rule)),
        ],
    )
}

/// A cache as a row: path in a chip file, shape, hit and miss cycles, outstanding misses.
type Cache = (&'static str, CacheShape, u32, Option<u32>, String);

/// The caches of a chip, except those that no built-in chip has.
fn caches_of(chip: &Chip) -> Vec<Cache> {
    let (sm, cluster, partition) = (&chip.sm, &chip.cluster, &chip.partition);
    let none = || "–".to_owned();
    let level = |path, level: ConstLevelConfig| {
        (path, level.shape, level.hit_cycles, Some(level.miss_cycles), none())
    };
    let l1 = |l1: L1Config| {
        let misses = format!("{} lines, {} loads each", l1.misses, l1.merges);
        ("sm.l1", l1.shape(), l1.hit_cycles, None, misses)
    };
    let l2 =
        |l2: L2Config| ("partition.l2", l2.shape(), l2.hit_cycles, None, format!("{} DRAM reads", l2.misses));
    let all = [
        sm.const_cache.map(|cache| ("sm.const_cache", cache.shape, cache.hit_cycles, None, none())),
        sm.l1.map(l1),
        cluster.const_cache.map(|cache| level("cluster.const_cache", cache)),
        partition.const_cache.map(|cache| level("partition.const_cache", cache)),
        cluster.texture_cache.map(|cache| {
            let misses = format!("{} lines", cache.misses);
            ("cluster.texture_cache", cache.shape, cache.hit_cycles, Some(cache.miss_cycles), misses)
        }),
        partition.texture_cache.map(|cache| level("partition.texture_cache", cache)),
        partition.l2.map(l2),
    ];
    let all: Vec<Cache> = all.into_iter().flatten().collect();
    assert_eq!(all.len(), chip.caches().count(), "{}: a row for each cache", chip.name);
    all
}

fn caches() -> String {
    let mut table =
        head(&["chip", "cache", "size", "line", "ways", "hit, cycles", "miss, cycles", "outstanding misses"]);
    for chip in ["g80", "gt200", "fermi"].map(chip) {
        for (path, shape, hit, miss, misses) in caches_of(&chip) {
            let cells = [
                format!("`{}`", chip.name),
                format!("`{path}`"),
                kib(shape.bytes),
                format!("{} B", shape.line_bytes),
                shape.ways.to_string(),
                hit.to_string(),
                or_none(miss, |miss| miss.to_string()),
                misses,
            ];
            row(&mut table, &cells);
        }
    }
    table
}

/// A column for each group of generations with equal numbers.
fn latencies() -> String {
    let numbers = |name: &str| {
        let chip = chip(name);
        let number = |class: Class| {
            let cost = chip.sm.classes[class as usize];
            format!("{}/{}/{}", cost.slots, cost.busy(&chip.sm.units), cost.latency)
        };
        Class::ALL.into_iter().map(number).collect::<Vec<_>>()
    };
    let mut columns: Vec<(String, Vec<String>)> = Vec::new();
    for name in GENERATIONS {
        let (title, numbers) = (format!("`{name}`"), numbers(name));
        match columns.iter_mut().find(|(_, other)| *other == numbers) {
            Some((titles, _)) => titles.extend([format!(", {title}")]),
            None => columns.push((title, numbers)),
        }
    }
    let titles = columns.iter().map(|(titles, _)| titles.as_str());
    let mut table = head(&["class"].into_iter().chain(titles).collect::<Vec<_>>());
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for (i, class) in Class::ALL.into_iter().enumerate() {
        let numbers: Vec<String> = columns.iter().map(|(_, numbers)| numbers[i].clone()).collect();
        let name = format!("`{}`", class.name());
        match rows.iter_mut().find(|(_, other)| *other == numbers) {
            Some((names, _)) => names.extend([", ".to_owned(), name]),
            None => rows.push((name, numbers)),
        }
    }
    for (names, numbers) in rows {
        row(&mut table, &[vec![names], numbers].concat());
    }
    table
}

/// Unloaded latencies in shader cycles: of a load that hits the L1, the L2, and of one from DRAM.
fn unloaded(chip: &Chip) -> [Option<u64>; 3] {
    let (sm, partition, clocks) = (&chip.sm, &chip.partition, chip.clocks);
    let register = u64::from(sm.classes[Class::LdGlobal as usize].latency);
    let bytes: u64 = if sm.lsu.rule.makes_lines() { 128 } else { 64 };
    let there = u64::from(sm.lsu.latency + chip.cluster.port_request_cycles + chip.crossbar.latency)
        + (u64::from(partition.arbiter_cycles) * clocks.shader_khz).div_ceil(clocks.core_khz);
    let back = bytes.div_ceil(partition.reply_bytes_per_cycle.into())
        + u64::from(partition.reply_header_cycles + chip.crossbar.latency)
        + register;
    let timing = partition.dram.timing;
    let bursts = 2 * timing.ccd;
    let dram = (u64::from(timing.rcd + timing.cl + bursts) * clocks.shader_khz).div_ceil(clocks.memory_khz);
    let l1 = sm.l1.map(|l1| u64::from(sm.lsu.latency + sm.lsu.transaction_cycles + l1.hit_cycles) + register);
    let l2 = partition.l2.map(|l2| there + u64::from(l2.hit_cycles) + back);
    [l1, l2, Some(there + u64::from(partition.pipeline_cycles) + dram + back)]
}

fn memory() -> String {
    by_generation(
        "memory system",
        &[
            ("LSU: queue, latency, cycles of a transaction", &|c| {
                format!("{}, {}, {}", c.sm.lsu.queue, c.sm.lsu.latency, c.sm.lsu.transaction_cycles)
            }),
            ("cluster port out: cycles of a header, bytes per cycle", &|c| {
                format!("{}, {}", c.cluster.port_request_cycles, c.cluster.port_bytes_per_cycle)
            }),
            ("cluster port in: bytes per cycle, pending replies", &|c| {
                format!("{}, {}", c.cluster.reply_bytes_per_cycle, c.cluster.reply_room)
            }),
            ("crossbar: latency, messages of a link", &|c| {
                format!("{}, {}", c.crossbar.latency, c.crossbar.depth)
            }),
            ("partition arbiter: core cycles of a transaction, store bytes per core cycle", &|c| {
                let bytes = c.partition.input_bytes_per_cycle;
                let bytes = if bytes == 0 { "all".to_owned() } else { bytes.to_string() };
                format!("{}, {bytes}", c.partition.arbiter_cycles)
            }),
            ("partition pipeline, cycles", &|c| c.partition.pipeline_cycles.to_string()),
            ("partition port out: cycles of a header, bytes per cycle", &|c| {
                format!("{}, {}", c.partition.reply_header_cycles, c.partition.reply_bytes_per_cycle)
            }),
            ("address map, chunk", &|c| {
                let map = match c.partition.map {
                    MapKind::Modulo => "`modulo`",
                    MapKind::Hashed => "`hashed`",
                    MapKind::Own(_) => unreachable!("the built-in chips have built-in maps"),
                };
                format!("{map}, {} B", c.partition.chunk_bytes)
            }),
            ("cycles between atomics on one word", &|c| c.partition.atomic_cycles.to_string()),
            ("unloaded latency of a load: L1, L2, DRAM", &|c| {
                unloaded(c).map(|cycles| or_none(cycles, |cycles| cycles.to_string())).join(", ")
            }),
        ],
    )
}

fn dram() -> String {
    let mut table = head(&[
        "chip", "MHz", "banks", "groups", "row", "burst", "queue", "ECC", "CCD", "CCDL", "RRD", "RCD", "RAS",
        "RP", "RC", "CL", "WL", "CDLR", "WR", "RTP", "REFI", "RFC",
    ]);
    for chip in simulated() {
        let dram = chip.partition.dram;
        let t = dram.timing;
        let ecc =
            if dram.ecc_bursts == 0 { "–".to_owned() } else { format!("1 in {}", dram.ecc_bursts + 1) };
        let names = [
            format!("`{}`", chip.name),
            mhz(chip.clocks.memory_khz),
            dram.banks.to_string(),
            dram.bank_groups.to_string(),
            format!("{} B", dram.row_bytes),
            format!("{} B", dram.burst_bytes),
            dram.queue.to_string(),
            ecc,
        ];
        let times =
            [t.ccd, t.ccdl, t.rrd, t.rcd, t.ras, t.rp, t.rc, t.cl, t.wl, t.cdlr, t.wr, t.rtp, t.refi, t.rfc];
        row(&mut table, &[&names[..], &times.map(|t| t.to_string())].concat());
    }
    table
}

fn host() -> String {
    let mut table = head(&[
        "chip",
        "link, GB/s each way",
        "pageable memory, GB/s",
        "latency of a copy, µs",
        "launch, µs",
        "wait, µs",
        "copy engines",
        "latency of mapped memory, µs",
        "copies directly between boards",
        "concurrent kernels",
        "first block after, cycles",
        "cycles between blocks",
    ]);
    for chip in simulated() {
        let (pcie, dispatch) = (chip.pcie, chip.dispatch);
        let cells = [
            format!("`{}`", chip.name),
            format!("{}", pcie.bytes_per_second as f64 / 1e9),
            format!("{}", pcie.pageable_bytes_per_second as f64 / 1e9),
            format!("{}", pcie.latency_ns as f64 / 1e3),
            format!("{}", pcie.launch_ns as f64 / 1e3),
            format!("{}", pcie.sync_ns as f64 / 1e3),
            pcie.copy_engines.to_string(),
            if pcie.mapped { format!("{}", pcie.mapped_ns as f64 / 1e3) } else { "–".to_owned() },
            if pcie.peer { "yes" } else { "no" }.to_owned(),
            dispatch.concurrent_kernels.to_string(),
            dispatch.launch_cycles.to_string(),
            dispatch.block_cycles.to_string(),
        ];
        row(&mut table, &cells);
    }
    table
}

/// The page with every table made anew.
fn renewed(page: &str) -> String {
    let mut page = page.to_owned();
    for (name, table) in TABLES {
        let begin =
            page.find(&format!("<!-- table {name}: ")).unwrap_or_else(|| panic!("no place for {name}"));
        let begin = begin + page[begin..].find("-->\n").expect("the marker ends") + "-->\n".len();
        let end = page.find(&format!("<!-- end of table {name} -->")).expect("the table has an end");
        page.replace_range(begin..end, &format!("\n{}\n", table()));
    }
    page
}

#[test]
fn the_tables_of_the_model_are_those_of_the_chips() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/MODEL.md");
    let old = std::fs::read_to_string(&path).expect("the page is there").replace("\r\n", "\n");
    let now = renewed(&old);
    if now == old {
        return;
    }
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, now).expect("the page is writable");
        return;
    }
    let differs = old.lines().zip(now.lines()).find(|(old, new)| old != new);
    panic!("docs/MODEL.md has old tables; run the test with BLESS=1. First difference: {differs:#?}");
}

/// The chip files give the same sums in their comments, and tests measure them.
#[test]
fn unloaded_latencies_are_the_sums_of_the_chip_files() {
    assert_eq!(unloaded(&chip("g80")), [None, None, Some(475)]);
    assert_eq!(unloaded(&chip("gt200")), [None, None, Some(455)]);
    assert_eq!(unloaded(&chip("fermi")), [Some(82), Some(302), Some(555)]);
}

/// The section about measurements names each row of docs/VALIDATION.md that misses its aim.
#[test]
fn every_row_that_misses_its_aim_is_explained() {
    let read = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name);
        std::fs::read_to_string(path).expect("the page is there")
    };
    let model = read("MODEL.md");
    let (_, section) = model.split_once("## Against published measurements").expect("the section");
    let named: Vec<&str> = section.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let table = read("VALIDATION.md");
    let misses = |line: &&str| line.starts_with("| V") && line.contains(", misses ");
    let rows: Vec<&str> = table.lines().filter(misses).filter_map(|line| line.split(' ').nth(1)).collect();
    assert!(!rows.is_empty(), "some rows miss their aim");
    for row in rows {
        assert!(named.contains(&row), "docs/MODEL.md does not explain {row}, which misses its aim");
    }
}
