//! The point of order: the order in which requests are accepted, and the values that loads return.

use super::{alone, config, credits, replies, request, run, send, send_words};
use crate::time::message::{PartitionOutbox, REQUEST_LANES, Request, RequestKind, Words};

/// Returns the values of the only load, which is accepted after `before` on the same link.
fn loaded(before: &[(Request, Words)], load: Request) -> Words {
    let mut partition = alone(&config(), 1);
    let mut out = PartitionOutbox::new(1);
    for &(request, words) in before {
        send_words(&mut partition, 0, 0, request, words);
    }
    send(&mut partition, 0, 0, load);
    run(&mut partition, 0..2_000, &mut out);
    let reply = out.to_cluster[0].replies.first().expect("a load is answered").1;
    assert_eq!((reply.kind, reply.sm, reply.tag), (RequestKind::Load, load.sm, load.tag));
    assert_eq!((reply.bytes, reply.lanes), (load.bytes, load.lanes));
    assert_eq!(reply.wire_bytes, 32 * u16::from(load.bursts));
    reply.data
}

/// Tests: `link-depth`.
#[test]
fn links_are_served_in_rotation() {
    let mut partition = alone(&config(), 3);
    let mut out = PartitionOutbox::new(3);
    for (link, count) in [(0, 3), (1, 1), (2, 2)] {
        for tag in 0..count {
            send(&mut partition, link, 0, request(RequestKind::Load, tag, 256 * link as u32));
        }
    }
    run(&mut partition, 0..1_000, &mut out);
    // Two core cycles per request, from core cycle 0: 0, 4.7, 9.4, 14.1, 18.8, 23.5.
    assert_eq!(credits(&out, 0), [0, 15, 24].map(|at| at + 40));
    assert_eq!(credits(&out, 1), [5].map(|at| at + 40));
    assert_eq!(credits(&out, 2), [10, 19].map(|at| at + 40));
}

#[test]
fn rotation_skips_links_whose_request_has_not_arrived() {
    let mut partition = alone(&config(), 3);
    let mut out = PartitionOutbox::new(3);
    send(&mut partition, 0, 0, request(RequestKind::Load, 0, 0));
    send(&mut partition, 0, 0, request(RequestKind::Load, 1, 0));
    // At shader cycle 5 this request has not arrived.
    send(&mut partition, 1, 6, request(RequestKind::Load, 2, 0));
    run(&mut partition, 0..1_000, &mut out);
    assert_eq!(credits(&out, 0), [40, 45]);
    assert_eq!(credits(&out, 1), [50]);
}

/// Tests: `point-of-order`.
#[test]
fn a_load_returns_the_stores_accepted_before_it() {
    let store = request(RequestKind::Store, 0, 512);
    let words = std::array::from_fn(|k| if k < 16 { 100 + k as u32 } else { 0 });
    let load = request(RequestKind::Load, 3, 512);
    assert_eq!(loaded(&[], load), [0; REQUEST_LANES]);
    assert_eq!(loaded(&[(store, words)], load), words);
    // A later store does not change a value that has been read, even before the load's reply has
    // left.
    let mut partition = alone(&config(), 1);
    let mut out = PartitionOutbox::new(1);
    send(&mut partition, 0, 0, load);
    send_words(&mut partition, 0, 0, store, words);
    run(&mut partition, 0..1_000, &mut out);
    assert_eq!(replies(&out, 0).len(), 1);
    assert!(out.to_cluster[0].replies.iter().all(|(_, reply)| reply.data == [0; REQUEST_LANES]));
    assert_eq!(partition.image().load(516), 101_u32.to_le_bytes());
    assert_eq!(partition.take_image().load(512), 100_u32.to_le_bytes());
}

/// Tests: `highest-lane-wins`.
#[test]
fn the_highest_lane_wins() {
    let mut store = request(RequestKind::Store, 0, 0);
    store.offset = [8; REQUEST_LANES];
    let words = std::array::from_fn(|k| k as u32);
    // Only four lanes take part.
    store.lanes = 0x8811;
    let data = loaded(&[(store, words)], request(RequestKind::Load, 0, 0));
    assert_eq!(data[..4], [0, 0, 3, 0]);
}

#[test]
fn every_width_is_little_endian() {
    let mut store = request(RequestKind::Store, 0, 0);
    (store.bytes, store.lanes) = (8, 0b11);
    (store.offset[0], store.offset[1]) = (248, 16);
    let mut words = [0; REQUEST_LANES];
    words[..4].copy_from_slice(&[0x0403_0201, 0x0807_0605, 0x1413_1211, 0x1817_1615]);
    let store = (store, words);
    let mut load = request(RequestKind::Load, 0, 0);
    load.lanes = 0b111;
    load.offset[..3].copy_from_slice(&[16, 248, 252]);
    assert_eq!(loaded(&[store], load)[..4], [0x1413_1211, 0x0403_0201, 0x0807_0605, 0]);
    load.bytes = 8;
    load.lanes = 0b101;
    assert_eq!(loaded(&[store], load)[..4], [0x1413_1211, 0x1817_1615, 0x0403_0201, 0x0807_0605]);
    load.bytes = 2;
    load.offset[..2].copy_from_slice(&[18, 254]);
    assert_eq!(loaded(&[store], load)[..3], [0x1413, 0x0807, 0]);
    load.bytes = 1;
    assert_eq!(loaded(&[store], load)[..3], [0x13, 0x07, 0]);

    let (mut bytes, mut halves) = (request(RequestKind::Store, 0, 0), request(RequestKind::Store, 0, 0));
    (bytes.bytes, bytes.lanes, bytes.offset[0]) = (1, 1, 17);
    (halves.bytes, halves.lanes, halves.offset[0]) = (2, 1, 18);
    let words = [0xaabb_ccdd; REQUEST_LANES];
    load.bytes = 4;
    load.offset[0] = 16;
    assert_eq!(loaded(&[store, (bytes, words), (halves, words)], load)[0], 0xccdd_dd11);
}
