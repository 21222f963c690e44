//! The expected results of a run, and their comparison with the actual results.

use super::bind::{Bound, Target, by_name};
use super::schema::{DataName, ExpectedData, LaunchFile, Source};
use super::value::{Number, decode, encode};
use super::{Data, Spanned, codes, init};
use crate::formula::{self, Budget, FormulaError, Names, Scope};
use crate::text::shown;
use isa::diag::Diagnostic;
use isa::span::Span;
use isa::types::ScalarType;
use std::collections::BTreeMap;
use std::path::Path;

/// The expected contents of a buffer or symbol.
#[derive(Debug)]
pub struct Expected {
    /// The buffer or symbol.
    pub what: DataName,
    /// Element type.
    pub ty: ScalarType,
    /// Bytes of the elements.
    pub bytes: Vec<u8>,
    /// Absolute tolerance.
    pub abs: f64,
    /// Tolerance relative to the expected value.
    pub rel: f64,
}

/// An array that formulas can name.
#[derive(Clone, Copy, Debug)]
enum Named {
    Buffer(usize),
    Symbol(usize),
}

/// Makes the expected bytes of all expectations. Formulas use the contents of buffers and symbols
/// before the launch.
pub fn make_all(
    file: &LaunchFile,
    bound: &Bound,
    buffers: &[Option<Data>],
    symbols: &[Option<Data>],
    folder: &Path,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Expected> {
    let mut budget = Budget::default();
    let names = Arrays { buffers: by_name(&file.buffers), symbols: by_name(&file.symbols) };
    let mut out = Vec::new();
    for (expectation, target) in file.expected_data().zip(&bound.expect) {
        let known = match target {
            Some(Target::Symbol(ty, bytes)) => Some((*ty, *bytes)),
            Some(Target::Buffer(index)) => buffers[*index].as_ref().map(|d| (d.ty, d.bytes.len() as u64)),
            None => None,
        };
        let Some((declared, bytes)) = known else {
            // The error of the expectation has been reported; the formula may have another one.
            if let Some(Source::Formula(text)) = &expectation.source
                && let Err(error) = formula::parse(&text.value, &names)
            {
                diagnostics.push(formula_error(text, &error));
            }
            continue;
        };
        let ty = expectation.ty.unwrap_or(declared);
        if !bytes.is_multiple_of(u64::from(ty.bytes())) {
            let message = format!("{bytes} bytes are not a whole number of {ty} elements");
            diagnostics
                .push(Diagnostic::error(codes::LENGTH, expectation.span, message).label("this comparison"));
            continue;
        }
        let made = match &expectation.source {
            Some(Source::File(path)) => from_file(folder, &path.value, bytes, path.span),
            Some(Source::Formula(text)) => {
                let element = |named: &Named, index: u64| element(buffers, symbols, *named, index);
                let length = bytes / u64::from(ty.bytes());
                from_formula(&text.value, ty, length, &names, &element, &mut budget)
                    .map_err(|error| formula_error(text, &error))
            }
            None => continue,
        };
        match made {
            Ok(bytes) => {
                let ExpectedData { what, abs, rel, .. } = expectation;
                out.push(Expected { what: what.clone(), ty, bytes, abs: *abs, rel: *rel });
            }
            Err(diagnostic) => diagnostics.push(diagnostic),
        }
    }
    out
}

/// The arrays of a launch file, by name.
struct Arrays<'f> {
    buffers: BTreeMap<&'f str, usize>,
    symbols: BTreeMap<&'f str, usize>,
}

impl Names for Arrays<'_> {
    type Name = Named;

    /// Returns the buffer of a name, otherwise the symbol.
    fn array(&self, name: &str) -> Option<Named> {
        let buffer = self.buffers.get(name).copied().map(Named::Buffer);
        buffer.or_else(|| self.symbols.get(name).copied().map(Named::Symbol))
    }

    fn number(&self, name: &str) -> Option<formula::Number<Named>> {
        match name {
            "i" => Some(formula::Number::Index),
            "n" => Some(formula::Number::Length),
            _ => None,
        }
    }

    fn known(&self, _: &str) -> String {
        "`i` is the index of the element, `n` is the number of elements".to_owned()
    }
}

fn element(buffers: &[Option<Data>], symbols: &[Option<Data>], named: Named, index: u64) -> Result<f64, u64> {
    let data = match named {
        Named::Buffer(i) => &buffers[i],
        Named::Symbol(i) => &symbols[i],
    };
    // An array without contents has been reported; its elements count as 0, to avoid further
    // errors.
    let Some(data) = data else { return Ok(0.0) };
    let size = data.ty.bytes() as usize;
    let length = (data.bytes.len() / size) as u64;
    if index >= length {
        return Err(length);
    }
    Ok(decode(data.ty, &data.bytes[index as usize * size..][..size]).as_f64())
}

fn from_file(folder: &Path, path: &Path, bytes: u64, span: Span) -> Result<Vec<u8>, Diagnostic> {
    let (file, found) = init::open(folder, path, span)?;
    if found != bytes {
        let message =
            format!("{} has {found} bytes, but the compared data has {bytes}", shown(&folder.join(path)));
        return Err(Diagnostic::error(codes::FILE, span, message).label("this file"));
    }
    init::read(file, bytes, span)
}

fn from_formula(
    text: &str,
    ty: ScalarType,
    length: u64,
    names: &dyn Names<Name = Named>,
    element: &dyn Fn(&Named, u64) -> Result<f64, u64>,
    budget: &mut Budget,
) -> Result<Vec<u8>, FormulaError> {
    let expression = formula::parse(text, names)?;
    let mut out = Vec::with_capacity((length * u64::from(ty.bytes())) as usize);
    for index in 0..length {
        // No name of a launch file is a value.
        let scope = Scope { index, length, element, value: &|_| f64::NAN };
        let value = expression.eval(&scope, budget)?;
        encode(ty, Number::Float(value), &mut out).map_err(|why| FormulaError {
            range: 0..text.len(),
            message: format!("for i = {index}, the value does not fit: {why}"),
        })?;
    }
    Ok(out)
}

fn formula_error(text: &Spanned<String>, error: &FormulaError) -> Diagnostic {
    let span = error.within(text);
    Diagnostic::error(codes::FORMULA, span, error.message.clone()).label("in this part of the formula")
}

/// Result of comparing the actual with the expected contents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Number of elements compared.
    pub compared: u64,
    /// Number of wrong elements.
    pub wrong: u64,
    /// The first wrong element: index, expected value, actual value.
    pub first: Option<(u64, Number, Number)>,
    /// Largest absolute difference; infinite if one side is infinite or NaN and the other is not
    /// equal.
    pub max_error: f64,
}

impl Expected {
    /// Compares the contents. An element is right if it equals the expected one, or if both are
    /// finite and differ by at most `abs + rel * |expected|`. An infinity equals only itself, and
    /// NaN only NaN.
    pub fn compare(&self, got: &[u8]) -> Comparison {
        let size = self.ty.bytes() as usize;
        let mut out = Comparison { compared: 0, wrong: 0, first: None, max_error: 0.0 };
        for (index, (expected, got)) in self.bytes.chunks_exact(size).zip(got.chunks_exact(size)).enumerate()
        {
            out.compared += 1;
            let (expected, got) = (decode(self.ty, expected), decode(self.ty, got));
            let error = difference(expected, got);
            out.max_error = out.max_error.max(error);
            let allowed = self.abs + self.rel * expected.as_f64().abs();
            let right = error == 0.0 || error.is_finite() && error <= allowed;
            if !right {
                out.wrong += 1;
                out.first = out.first.or(Some((index as u64, expected, got)));
            }
        }
        out
    }
}

/// Returns the absolute difference: 0 for equal numbers and for two NaNs, infinite if only one side
/// is finite or a number.
#[expect(clippy::float_cmp, reason = "infinities are equal or not; their difference is not a number")]
fn difference(expected: Number, got: Number) -> f64 {
    if let (Number::Int(expected), Number::Int(got)) = (expected, got) {
        return (got - expected).unsigned_abs() as f64;
    }
    let (expected, got) = (expected.as_f64(), got.as_f64());
    let error = (got - expected).abs();
    match (expected == got || expected.is_nan() && got.is_nan(), error.is_nan()) {
        (true, _) => 0.0,
        (false, true) => f64::INFINITY,
        (false, false) => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(ty: ScalarType, values: &[f64], abs: f64, rel: f64) -> Expected {
        let what = DataName::Buffer(Spanned { value: "b".into(), span: Span::default() });
        Expected { what, ty, bytes: bytes(ty, values), abs, rel }
    }

    fn bytes(ty: ScalarType, values: &[f64]) -> Vec<u8> {
        let mut out = Vec::new();
        for value in values {
            encode(ty, Number::Float(*value), &mut out).expect("fits");
        }
        out
    }

    #[test]
    fn tolerances_are_absolute_plus_relative() {
        let exact = expected(ScalarType::F32, &[1.0, f64::NAN, f64::INFINITY, 100.0], 0.0, 0.0);
        let same = exact.compare(&exact.bytes.clone());
        assert_eq!((same.compared, same.wrong, same.max_error), (4, 0, 0.0));
        let got = bytes(ScalarType::F32, &[1.5, f64::NAN, f64::INFINITY, 110.0]);
        let result = exact.compare(&got);
        assert_eq!((result.wrong, result.max_error), (2, 10.0));
        assert_eq!(result.first, Some((0, Number::Float(1.0), Number::Float(1.5))));
        assert_eq!(expected(ScalarType::F32, &[1.0, 0.0, 0.0, 100.0], 0.5, 0.1).compare(&got).wrong, 2);
        assert_eq!(expected(ScalarType::F32, &[100.0], 0.0, 0.1).compare(&got[12..]).wrong, 0);
        assert_eq!(expected(ScalarType::F32, &[100.0], 0.0, 0.09).compare(&got[12..]).wrong, 1);
        let not_a_number = exact.compare(&bytes(ScalarType::F32, &[f64::NAN, 0.0, 0.0, f64::NAN]));
        assert_eq!((not_a_number.wrong, not_a_number.max_error), (4, f64::INFINITY));
    }

    #[test]
    fn an_infinity_equals_only_itself() {
        let special = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let others = [0.0, 999.0, f64::from(f32::MAX), f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        for (abs, rel) in [(0.0, 0.0), (0.0, 1e-6), (1e30, 1e30)] {
            for ty in [ScalarType::F32, ScalarType::F64] {
                for (one, other) in
                    special.iter().flat_map(|one| others.iter().map(move |other| (*one, *other)))
                {
                    let same = one.to_bits() == other.to_bits();
                    for (want, got) in [(one, other), (other, one)] {
                        let result = expected(ty, &[want], abs, rel).compare(&bytes(ty, &[got]));
                        assert_eq!(result.wrong == 0, same, "{want} against {got}, abs {abs}, rel {rel}");
                        assert_eq!(result.max_error.is_infinite(), !same);
                    }
                }
            }
        }
    }

    #[test]
    fn large_integers_are_compared_exactly() {
        let one =
            Expected { bytes: u64::MAX.to_le_bytes().to_vec(), ..expected(ScalarType::U64, &[], 0.0, 0.0) };
        assert_eq!(one.compare(&u64::MAX.to_le_bytes()).wrong, 0);
        assert_eq!(one.compare(&(u64::MAX - 1).to_le_bytes()).wrong, 1);
    }

    #[test]
    fn a_formula_is_rounded_to_the_elements_type() {
        let mut budget = Budget::default();
        let none = Arrays { buffers: BTreeMap::new(), symbols: BTreeMap::new() };
        let made = from_formula("i / 10", ScalarType::F32, 3, &none, &|_, _| Err(0), &mut budget);
        assert_eq!(made, Ok(bytes(ScalarType::F32, &[0.0, 0.1, 0.2])));
        let failed = from_formula("i / 2", ScalarType::U8, 3, &none, &|_, _| Err(0), &mut budget);
        assert!(failed.expect_err("a half").message.starts_with("for i = 1, the value does not fit: 0.5"));
    }
}
