//! Tests of each kind of message: hits and their cycles, fills and the waiting loads, the effect of
//! a store on both, and the write-back of local memory.

use super::*;
use crate::cache::{Replacement, SetIndex};
use crate::components::l1::L1Access;
use crate::config::{Chip, FillPolicy, Prefetch, StorePolicy};
use isa::sem::atomic::Operation;

/// The data of each store.
const WORDS: Words = [0x8765_4321; REQUEST_LANES];

/// Two sets of two lines.
const CONFIG: L1Config = L1Config {
    bytes: 512,
    ways: 2,
    prefer_l1: None,
    hit_cycles: 30,
    misses: 2,
    merges: 2,
    global: true,
    fill: FillPolicy::Line,
    stores: StorePolicy::Evict,
    prefetch: Prefetch::Off,
    replacement: Replacement::Lru,
    index: SetIndex::Modulo,
};

fn cache(config: L1Config) -> L1 {
    let lsu = Chip::builtin("fermi").expect("a built-in chip").sm.lsu;
    let by = Coalescer { config: lsu, map: AddressMap::new(256, 6), burst_bytes: 64 };
    L1::new(config, &by, Hooks::default(), 0, false)
}

/// A request of 32 lanes for the words of line `line`, with tag `tag`.
fn request(kind: RequestKind, line: u32, tag: u16) -> Request {
    let address = line * LINE_BYTES;
    let first = (address % 256) as u8;
    Request {
        kind,
        sm: 1,
        tag,
        bytes: 4,
        transactions: 1,
        transfers: 1,
        bursts: 4,
        sectors: ALL_SECTORS,
        lanes: u32::MAX,
        chunk: address & !255,
        offset: std::array::from_fn(|lane| first + 4 * lane as u8),
        quads: 0,
    }
}

fn load(line: u32, tag: u16) -> Request {
    request(RequestKind::Load, line, tag)
}

/// The reply to a fill: consecutive words, starting at `base`.
fn answer(fill: &Request, base: u32) -> Reply {
    Reply {
        kind: fill.kind,
        sm: fill.sm,
        tag: fill.tag,
        bytes: 4,
        wire_bytes: 128,
        lanes: u32::MAX,
        quads: 0,
        data: std::array::from_fn(|word| base + word as u32),
    }
}

/// Processes `request` at `now`. Returns the action and the request.
fn see(l1: &mut L1, now: u64, request: Request) -> (Seen, Request) {
    see_with(l1, now, request, &WORDS)
}

/// As [`see`]; a store has the data `words`.
fn see_with(l1: &mut L1, now: u64, mut request: Request, words: &Words) -> (Seen, Request) {
    let seen = l1.see(now, &mut request, true);
    if l1.updates(&request) {
        l1.update(now, &request, words);
    }
    (seen, request)
}

/// Processes the reply to `fill`. Returns tags and first words of the waiting loads.
fn fill(l1: &mut L1, now: u64, fill: &Request, base: u32) -> Vec<(u16, u32)> {
    let (mut to, answer) = (Vec::new(), answer(fill, base));
    l1.fill(now, &answer, |waiter| to.push((waiter.tag, waiter.values(&answer.data)[0])));
    to
}

/// Looks up `request`, a load that hits, at `now`. Returns the cycle of the reply and the values.
fn hit(l1: &mut L1, now: u64, request: Request) -> (u64, [u32; 2 * REQUEST_LANES]) {
    let Seen::Hit { slot, at } = see(l1, now, request).0 else { panic!("no hit: {request:?}") };
    (at, Waiter::of(&request).values(l1.words(slot)))
}

/// Fills a line.
fn bring(l1: &mut L1, line: u32, base: u32) {
    let (seen, request) = see(l1, 0, load(line, 90));
    assert_eq!(seen, Seen::Passes);
    assert_eq!(fill(l1, 10, &request, base), [(90, base)]);
}

/// Tests: `cache-times`.
#[test]
fn a_miss_requests_its_line_and_a_hit_replies_after_the_hit_latency() {
    let mut l1 = cache(CONFIG);
    let single = Request { lanes: 1 << 7, offset: [128 + 12; REQUEST_LANES], ..load(5, 3) };
    let (seen, asked) = see(&mut l1, 100, single);
    assert_eq!((seen, asked.kind, asked.lanes), (Seen::Passes, RequestKind::Fill { local: false }, u32::MAX));
    assert_eq!((asked.chunk, asked.offset[0], asked.offset[31]), (512, 128, 252));
    assert_eq!(fill(&mut l1, 400, &asked, 1000), [(3, 1003)]);
    let (at, values) = hit(&mut l1, 500, load(5, 4));
    assert_eq!(at, 530);
    assert_eq!(values[..32], std::array::from_fn::<u32, 32, _>(|word| 1000 + word as u32));
    assert_eq!((l1.counters.global_load_hit, l1.counters.global_load_miss), (1, 1));
}

/// The issue of a cycle is over when the L1 looks up a message in it, so a reply in that cycle
/// would let the SM issue twice.
#[test]
fn a_hit_without_latency_replies_in_the_next_cycle() {
    let mut l1 = cache(L1Config { hit_cycles: 0, ..CONFIG });
    bring(&mut l1, 0, 1);
    assert_eq!(hit(&mut l1, 20, load(0, 1)).0, 21);
}

#[test]
fn words_of_every_width_are_read_from_a_line() {
    let mut l1 = cache(CONFIG);
    bring(&mut l1, 0, 0x8070_6050);
    let mut words = |bytes: u8, offset: u8, quads: u64| {
        let offset = std::array::from_fn(|lane| if lane == 0 { offset } else { 0 });
        hit(&mut l1, 0, Request { bytes, lanes: 0b101, offset, quads, ..load(0, 1) }).1
    };
    assert_eq!(words(1, 3, 0)[..3], [0x80, 0x50, 0]);
    assert_eq!(words(2, 6, 0)[..3], [0x8070, 0x6050, 0]);
    assert_eq!(words(8, 8, 0)[..5], [0x8070_6052, 0x8070_6053, 0x8070_6050, 0x8070_6051, 0]);
    assert_eq!(
        words(16, 16, 0x01)[..8].iter().map(|word| word & 0xf).collect::<Vec<_>>(),
        [4, 5, 6, 7, 0, 1, 2, 3],
        "four words for each lane"
    );
}

#[test]
fn loads_of_an_outstanding_line_merge_up_to_the_limit() {
    let mut l1 = cache(CONFIG);
    let (_, asked) = see(&mut l1, 0, load(0, 1));
    assert_eq!(see(&mut l1, 1, load(0, 2)).0, Seen::Stays);
    assert!(!l1.stalled());
    assert_eq!(see(&mut l1, 2, load(0, 3)).0, Seen::Waits, "two may wait for one line");
    assert!(l1.stalled());
    assert_eq!(fill(&mut l1, 50, &asked, 7), [(1, 7), (2, 7)]);
    assert!(!l1.stalled());
    assert_eq!(hit(&mut l1, 50, load(0, 3)).0, 80, "a hit now");
    // Two fills may be outstanding.
    let (_, first) = see(&mut l1, 60, load(1, 4));
    assert_eq!(see(&mut l1, 60, load(2, 5)).0, Seen::Passes);
    assert_eq!(see(&mut l1, 60, load(3, 6)).0, Seen::Waits);
    fill(&mut l1, 70, &first, 0);
    assert_eq!(see(&mut l1, 70, load(3, 6)).0, Seen::Passes);
}

#[test]
fn a_write_evicts_its_line() {
    for kind in
        [RequestKind::Store, RequestKind::Atomic(Operation::Add), RequestKind::Reduction(Operation::Add)]
    {
        let mut l1 = cache(CONFIG);
        bring(&mut l1, 0, 1);
        bring(&mut l1, 2, 1);
        assert_eq!(see(&mut l1, 20, request(kind, 0, 9)).0, Seen::Passes);
        assert_eq!(hit(&mut l1, 30, load(2, 1)).0, 60, "another line");
        assert_eq!(see(&mut l1, 30, load(0, 1)).0, Seen::Passes, "{kind:?}");
    }
}

/// An atomic changes memory by a value that the L1 does not know.
#[test]
fn a_store_can_update_its_line_and_an_atomic_evicts_it() {
    let mut l1 = cache(L1Config { stores: StorePolicy::Update, ..CONFIG });
    bring(&mut l1, 0, 100);
    bring(&mut l1, 2, 200);
    let word = Request { lanes: 1 << 9, offset: [12; REQUEST_LANES], ..request(RequestKind::Store, 0, 9) };
    assert_eq!(see(&mut l1, 20, word).0, Seen::Passes, "it goes to memory too");
    assert!(!l1.agrees(21, |at| 100 + at / 4), "memory has the value later");
    assert_eq!(hit(&mut l1, 21, load(0, 1)).1[2..5], [102, WORDS[0], 104]);
    // The store was a use: a third line of the set evicts the line at 2.
    bring(&mut l1, 4, 1);
    assert!(matches!(see(&mut l1, 30, load(0, 1)).0, Seen::Hit { .. }));
    assert_eq!(see(&mut l1, 30, request(RequestKind::Store, 2, 9)).0, Seen::Passes);
    let (seen, asked) = see(&mut l1, 31, load(2, 1));
    assert_eq!(
        (seen, asked.kind),
        (Seen::Passes, RequestKind::Fill { local: false }),
        "no line is allocated"
    );
    see(&mut l1, 40, request(RequestKind::Reduction(Operation::Add), 0, 9));
    assert_eq!(see(&mut l1, 41, load(0, 1)).0, Seen::Passes);
}

#[test]
fn stores_of_every_width_update_a_line() {
    let mut l1 = cache(L1Config { stores: StorePolicy::Update, ..CONFIG });
    let mut words = |bytes: u8, offset: [u8; 2], quads: u64| {
        bring(&mut l1, 0, 0);
        let offset = std::array::from_fn(|k| if k < 2 { offset[k] } else { 0 });
        let store = Request { bytes, lanes: 0b101, offset, quads, ..request(RequestKind::Store, 0, 9) };
        let mut data = [0; REQUEST_LANES];
        data[..8].copy_from_slice(&[0x1f1, 0x1f2, 0x1f3, 0x1f4, 0x1f5, 0x1f6, 0x1f7, 0x1f8]);
        see_with(&mut l1, 0, store, &data);
        let words = hit(&mut l1, 0, load(0, 1)).1;
        see(&mut l1, 0, request(RequestKind::Reduction(Operation::Add), 0, 9));
        <[u32; 8]>::try_from(&words[..8]).expect("eight words")
    };
    assert_eq!(words(1, [1, 31], 0), [0xf100, 1, 2, 3, 4, 5, 6, 0xf200_0007]);
    assert_eq!(words(1, [4, 4], 0), [0, 0xf2, 2, 3, 4, 5, 6, 7], "the highest lane wins");
    assert_eq!(words(2, [2, 8], 0), [0x1f1_0000, 1, 0x1f2, 3, 4, 5, 6, 7]);
    assert_eq!(words(8, [8, 24], 0), [0, 1, 0x1f1, 0x1f2, 4, 5, 0x1f3, 0x1f4]);
    assert_eq!(words(16, [0, 16], 0x01), [0x1f5, 0x1f6, 0x1f7, 0x1f8, 0x1f1, 0x1f2, 0x1f3, 0x1f4]);
}

/// Tests: `stores-poison-fills`.
#[test]
fn a_store_poisons_the_fill_of_its_line() {
    for stores in [StorePolicy::Evict, StorePolicy::Update] {
        let mut l1 = cache(L1Config { stores, ..CONFIG });
        let (_, old) = see(&mut l1, 0, load(0, 1));
        assert_eq!(see(&mut l1, 5, load(0, 2)).0, Seen::Stays);
        assert_eq!(see(&mut l1, 10, request(RequestKind::Store, 0, 9)).0, Seen::Passes);
        let (seen, new) = see(&mut l1, 11, load(0, 3));
        assert_eq!((seen, new.tag == old.tag), (Seen::Passes, false), "no load joins the poisoned fill");
        assert_eq!(fill(&mut l1, 100, &old, 7), [(1, 7), (2, 7)], "the waiting loads receive it");
        assert_eq!(
            see(&mut l1, 101, load(0, 4)).0,
            Seen::Stays,
            "the line is not kept: this load joins the second fill"
        );
        assert_eq!(fill(&mut l1, 110, &new, 8), [(3, 8), (4, 8)]);
        let (at, values) = hit(&mut l1, 120, load(0, 5));
        assert_eq!((at, values[0]), (150, 8), "the second fill is kept");
    }
}

#[test]
fn uncached_loads_bypass_the_l1_and_keep_the_line() {
    let mut l1 = cache(CONFIG);
    bring(&mut l1, 0, 1);
    let mut volatile = load(0, 5);
    assert_eq!(l1.see(20, &mut volatile, false), Seen::Passes);
    assert_eq!((volatile.kind, volatile.tag), (RequestKind::Load, 5), "the request is unchanged");
    assert_eq!(hit(&mut l1, 21, load(0, 1)).0, 51);
    assert_eq!(l1.counters.uncached_global_loads, 1);
    let (_, pending) = see(&mut l1, 22, load(2, 6));
    assert_eq!(l1.see(23, &mut load(2, 7), false), Seen::Passes, "uncached loads join no fill");
    assert_eq!(fill(&mut l1, 50, &pending, 3), [(6, 3)]);
}

#[test]
fn the_least_recently_used_line_is_replaced() {
    let mut l1 = cache(CONFIG);
    // Lines 0, 2 and 4 share a set.
    bring(&mut l1, 0, 0);
    bring(&mut l1, 2, 0);
    see(&mut l1, 20, load(0, 1));
    bring(&mut l1, 4, 0);
    assert_eq!(hit(&mut l1, 30, load(0, 1)).0, 60);
    assert_eq!(see(&mut l1, 30, load(2, 1)).0, Seen::Passes);
}

#[test]
fn local_stores_are_written_back_on_eviction() {
    let mut l1 = cache(CONFIG);
    let part = |kind, lanes| Request { lanes, ..request(kind, 0, 1) };
    assert_eq!(see(&mut l1, 0, part(RequestKind::LocalStore, 0xff)).0, Seen::Stays);
    assert_eq!(hit(&mut l1, 1, part(RequestKind::LocalLoad, 0xf)).0, 31, "stored words hit");
    let (seen, asked) = see(&mut l1, 2, part(RequestKind::LocalLoad, 0xfff));
    assert_eq!(
        (seen, asked.kind),
        (Seen::Passes, RequestKind::Fill { local: true }),
        "some words are not valid"
    );
    assert_eq!(fill(&mut l1, 50, &asked, 0), [(1, 0)]);
    let whole = part(RequestKind::LocalLoad, u32::MAX);
    assert_eq!(hit(&mut l1, 60, whole).0, 90, "the whole line is valid");
    // Two more lines of the set evict it and write back the stored words.
    for line in [2, 4] {
        assert_eq!(see(&mut l1, 70, request(RequestKind::LocalStore, line, 1)).0, Seen::Stays);
    }
    let (link, gone) = *l1.leaving().expect("the dirty line leaves");
    assert_eq!((link, gone.kind, gone.chunk), (0, RequestKind::LocalStore, 0));
    assert_eq!((gone.lanes, gone.sectors, gone.bursts, gone.offset[1]), (0xff, 1, 1, 4));
    l1.left();
    assert!(l1.leaving().is_none());
    assert_eq!(l1.counters.local_words_written_back, 8);
    assert_eq!((l1.dirty_words(), l1.counters.local_words_dirtied), (64, 72));
}

#[test]
fn the_number_of_write_backs_is_bounded() {
    let mut l1 = cache(CONFIG);
    let mut stayed = 0;
    // Lines of one set: each line from the third on causes a write-back, and two write-backs may
    // wait.
    while see(&mut l1, 0, request(RequestKind::LocalStore, 2 * stayed, 1)).0 == Seen::Stays {
        stayed += 1;
    }
    assert_eq!((stayed, l1.stalled()), (4, true));
    assert_eq!(see(&mut l1, 0, load(1, 1)).0, Seen::Waits, "a fill could cause another write-back");
    l1.left();
    assert!(!l1.stalled());
    assert_eq!(see(&mut l1, 0, load(1, 1)).0, Seen::Passes);
}

#[test]
fn the_l1_agrees_with_memory_until_another_write() {
    let mut l1 = cache(CONFIG);
    bring(&mut l1, 0, 100);
    assert!(l1.agrees(20, |at| 100 + at / 4));
    assert!(!l1.agrees(20, |at| if at == 8 { 0 } else { 100 + at / 4 }));
    assert_eq!(hit(&mut l1, 20, load(0, 1)).0, 50);
    assert!(l1.agrees(21, |at| 100 + at / 4), "the pending hit is of a valid line");
    see(&mut l1, 21, request(RequestKind::Store, 0, 9));
    assert!(!l1.agrees(50, |at| 100 + at / 4), "the line of the pending hit is evicted");
    assert!(l1.agrees(51, |_| 0), "the L1 is empty, and no hit is pending");
}

/// A load of words of the sectors `sectors` of line `line`.
fn part(line: u32, sectors: u8, tag: u16) -> Request {
    let lanes = words_of(sectors);
    let first = load(line, tag).offset[0];
    let mut offset = [0; REQUEST_LANES];
    for (offset, word) in offset.iter_mut().zip(crate::exec::mask::lanes(lanes)) {
        *offset = first + 4 * word as u8;
    }
    Request { lanes, offset, ..load(line, tag) }
}

#[test]
fn a_fill_of_sectors_requests_the_sectors_of_its_load() {
    let mut l1 = cache(L1Config { fill: FillPolicy::Sectors, misses: 4, ..CONFIG });
    let (seen, asked) = see(&mut l1, 0, part(5, 0b0110, 3));
    assert_eq!(
        (seen, asked.kind, asked.lanes),
        (Seen::Passes, RequestKind::Fill { local: false }, 0x00ff_ff00)
    );
    assert_eq!((asked.sectors, asked.bursts, asked.offset[0]), (0b0110, 2, 128));
    assert_eq!(see(&mut l1, 1, part(5, 0b0100, 4)).0, Seen::Stays, "the sector is on its way");
    assert_eq!(see(&mut l1, 2, part(5, 0b1100, 5)).0, Seen::Waits, "one of its sectors is on its way");
    let (seen, other) = see(&mut l1, 3, part(5, 0b0001, 6));
    assert_eq!((seen, other.sectors, other.bursts), (Seen::Passes, 0b0001, 1), "another sector");
    assert_eq!(fill(&mut l1, 50, &other, 200), [(6, 200)]);
    assert_eq!(fill(&mut l1, 51, &asked, 100), [(3, 108), (4, 116)]);
    let (_, values) = hit(&mut l1, 60, part(5, 0b0111, 7));
    assert_eq!((values[0], values[8], values[23]), (200, 108, 123));
    assert!(l1.agrees(90, |at| if at < 5 * 128 + 32 { 200 } else { 100 } + at % 128 / 4));
    assert_eq!(see(&mut l1, 90, load(5, 8)).0, Seen::Passes, "the last sector is not valid");
}

/// Otherwise the load would get new values, and a later load old ones.
#[test]
fn valid_sectors_that_are_requested_again_are_not_valid_until_then() {
    let mut l1 = cache(L1Config { fill: FillPolicy::Sectors, misses: 4, ..CONFIG });
    let (_, first) = see(&mut l1, 0, part(0, 0b0011, 1));
    fill(&mut l1, 10, &first, 100);
    assert_eq!(hit(&mut l1, 20, part(0, 0b0011, 2)).0, 50);
    let (seen, asked) = see(&mut l1, 21, part(0, 0b0110, 3));
    assert_eq!((seen, asked.sectors), (Seen::Passes, 0b0110));
    assert!(!l1.agrees(22, |at| 100 + at / 4), "the value of the pending hit may be old");
    assert_eq!(hit(&mut l1, 23, part(0, 0b0001, 4)).1[0], 100, "another sector");
    assert_eq!(see(&mut l1, 24, part(0, 0b0010, 5)).0, Seen::Stays);
    assert_eq!(fill(&mut l1, 60, &asked, 200), [(3, 208), (5, 208)]);
    let (_, values) = hit(&mut l1, 70, part(0, 0b0111, 6));
    assert_eq!((values[0], values[8], values[16]), (100, 208, 216));
}

/// Tests: `stores-poison-fills`.
#[test]
fn a_store_poisons_every_fill_of_its_line() {
    for stores in [StorePolicy::Evict, StorePolicy::Update] {
        let mut l1 = cache(L1Config { fill: FillPolicy::Sectors, stores, misses: 4, ..CONFIG });
        let asked = [0b0001, 0b0010, 0b0100].map(|sectors| see(&mut l1, 0, part(0, sectors, 1)).1);
        fill(&mut l1, 10, &asked[0], 100);
        see(&mut l1, 20, request(RequestKind::Store, 0, 9));
        for (asked, value) in asked[1..].iter().zip([108, 116]) {
            assert_eq!(fill(&mut l1, 30, asked, 100), [(1, value)]);
        }
        assert_eq!(see(&mut l1, 40, part(0, 0b0110, 2)).0, Seen::Passes, "no sector was kept");
        let kept = matches!(see(&mut l1, 41, part(0, 0b0001, 3)).0, Seen::Hit { .. });
        assert_eq!(kept, stores == StorePolicy::Update);
    }
}

/// Processes `request` at `now`, and prefetches after it.
fn see_and_prefetch(l1: &mut L1, now: u64, request: Request) -> (Seen, Request) {
    let address = l1.watched_line(&request, true).expect("a prefetcher watches the cache");
    let (seen, asked) = see(l1, now, request);
    let hit = matches!(seen, Seen::Hit { .. });
    l1.prefetch(&L1Access { cycle: now, warp: 0, age: 0, pc: 0, address, hit }, 0);
    (seen, asked)
}

/// The lines that the cache asks for by itself.
fn leave(l1: &mut L1) -> Vec<Request> {
    let message = |l1: &mut L1| {
        let request = l1.leaving()?.1;
        l1.left();
        Some(request)
    };
    std::iter::from_fn(|| message(l1)).collect()
}

#[test]
fn the_next_lines_are_requested_after_a_miss() {
    let mut l1 = cache(L1Config { prefetch: Prefetch::NextLines { lines: 2 }, misses: 8, ..CONFIG });
    let (_, first) = see_and_prefetch(&mut l1, 0, load(4, 3));
    let asked = leave(&mut l1);
    let line = |request: &Request| (request.chunk + u32::from(request.offset[0])) / LINE_BYTES;
    assert_eq!(asked.iter().map(line).collect::<Vec<_>>(), [5, 6]);
    assert_eq!((asked[0].kind, asked[0].sectors, asked[0].bursts), (first.kind, ALL_SECTORS, 2));
    // A load of a line that is on its way waits for it, and asks for further lines alone.
    assert_eq!(see_and_prefetch(&mut l1, 10, load(5, 7)).0, Seen::Stays);
    assert_eq!(leave(&mut l1).iter().map(line).collect::<Vec<_>>(), [7]);
    assert_eq!(fill(&mut l1, 300, &asked[0], 50), [(7, 50)]);
    assert_eq!(fill(&mut l1, 310, &asked[1], 60), [], "no load waits");
    assert_eq!(hit(&mut l1, 400, load(6, 1)).1[0], 60);
    assert_eq!(leave(&mut l1), [], "a hit prefetches nothing");
}

/// The last MSHR is for loads.
#[test]
fn a_prefetch_leaves_space_for_loads() {
    let mut l1 = cache(L1Config { prefetch: Prefetch::NextLines { lines: 8 }, misses: 4, ..CONFIG });
    assert_eq!(see_and_prefetch(&mut l1, 0, load(4, 3)).0, Seen::Passes);
    assert_eq!(leave(&mut l1).len(), 2);
    assert_eq!(see_and_prefetch(&mut l1, 1, load(40, 3)).0, Seen::Passes);
    assert_eq!(leave(&mut l1).len(), 0);
}

#[test]
fn words_of_any_lanes_reach_their_rows() {
    let line: Words = std::array::from_fn(|word| 100 + word as u32);
    let consecutive: [u8; REQUEST_LANES] = std::array::from_fn(|word| 128 + 4 * word as u8);
    let mixed: [u8; REQUEST_LANES] = std::array::from_fn(|k| (52 * k + 8) as u8 / 4 * 4);
    for lanes in [u32::MAX, 0x0000_ffff, 0x00ff_0000, 0x8000_0000, 0x5555_0001] {
        for offset in [consecutive, mixed] {
            let request =
                Request { kind: RequestKind::Load, bytes: 4, lanes, offset, ..Request::fence(0, 3) };
            let waiter = Waiter::of(&request);
            let (mut row, values) = ([7; 32], waiter.values(&line));
            waiter.put_words(&line, &mut row);
            let mut expected = [7; 32];
            super::lanes(lanes).zip(values).for_each(|(lane, value)| expected[lane] = value);
            assert_eq!(row, expected, "{lanes:#x} {offset:?}");
        }
    }
}
