//! Values and parts survive the way through bytes, and wrong bytes are errors.

use super::{Corrupt, Part, Reader, Value, Writer};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

fn bytes_of(value: &impl Value) -> Vec<u8> {
    let mut out = Writer::default();
    value.put(&mut out);
    out.into_bytes()
}

fn taken<T: Value>(bytes: &[u8]) -> Result<T, Corrupt> {
    let mut from = Reader::new(bytes);
    let value = T::take(&mut from)?;
    from.finish()?;
    Ok(value)
}

#[derive(Clone, Debug, PartialEq, Value)]
enum Shape {
    Point,
    Circle(u32),
    Named { name: String, sides: Vec<u16>, at: Option<(u8, bool)> },
}

#[derive(Clone, Debug, PartialEq, Part)]
struct Pile {
    #[state(fixed)]
    most: u32,
    shapes: VecDeque<Shape>,
    #[state(part)]
    below: Option<Box<Pile>>,
    words: [u64; 3],
}

fn shape() -> impl Strategy<Value = Shape> {
    let named = ("[a-zé]{0,5}", prop::collection::vec(any::<u16>(), 0..4), any::<Option<(u8, bool)>>());
    prop_oneof![
        Just(Shape::Point),
        any::<u32>().prop_map(Shape::Circle),
        named.prop_map(|(name, sides, at)| Shape::Named { name, sides, at }),
    ]
}

proptest! {
    #[test]
    fn a_value_is_made_from_its_bytes(shapes in prop::collection::vec(shape(), 0..5)) {
        prop_assert_eq!(taken(&bytes_of(&shapes)), Ok(shapes));
    }

    #[test]
    fn bytes_that_end_early_are_an_error(shapes in prop::collection::vec(shape(), 1..5), at in any::<prop::sample::Index>()) {
        let bytes = bytes_of(&shapes);
        let end = at.index(bytes.len());
        prop_assert!(taken::<Vec<Shape>>(&bytes[..end]).is_err());
    }

    #[test]
    fn any_bytes_are_a_value_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(shapes) = taken::<Vec<Shape>>(&bytes) {
            prop_assert_eq!(bytes_of(&shapes), bytes);
        }
    }
}

#[test]
fn a_part_is_restored_without_its_fixed_fields() {
    let pile = |most, shapes: &[Shape], below| Pile {
        most,
        shapes: shapes.iter().cloned().collect(),
        below,
        words: [u64::from(most); 3],
    };
    let saved = pile(1, &[Shape::Circle(7)], Some(Box::new(pile(2, &[Shape::Point], None))));
    let mut out = Writer::default();
    saved.save(&mut out);
    let bytes = out.into_bytes();
    let mut other = pile(5, &[], Some(Box::new(pile(6, &[], None))));
    let mut from = Reader::new(&bytes);
    assert_eq!(other.load(&mut from).and_then(|()| from.finish()), Ok(()));
    assert_eq!((other.most, other.below.as_ref().map(|below| below.most)), (5, Some(6)));
    assert_eq!((&other.shapes, other.words), (&saved.shapes, saved.words));
    assert_eq!(other.below.map(|below| below.shapes), saved.below.map(|below| below.shapes));
}

#[test]
fn a_random_number_generator_continues() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    rng.set_stream(3);
    for _ in 0..37 {
        rng.next_u32();
    }
    let mut copy: ChaCha8Rng = taken(&bytes_of(&rng)).expect("the bytes are a generator");
    assert!((0..100).all(|_| rng.next_u64() == copy.next_u64()));
}

#[test]
fn a_long_list_of_few_bytes_is_an_error() {
    let bytes = bytes_of(&(1_u64 << 60));
    assert_eq!(taken::<Vec<u64>>(&bytes), Err(Corrupt { at: 8, bytes: 8 }));
}
