//! The words of a declaration before its name, and the members of a sampler.

use super::super::ast::Linkage;
use super::super::lex::TokenKind;
use super::cursor::{Parsed, Parser};
use crate::diag::Diagnostic;
use crate::span::Span;
use crate::types::{ScalarType, StateSpace, TypeKind};
use crate::uop::{Pointee, Sampler, SamplerAddress};

/// Alignment in bytes of the memory to which a `.ptr` parameter points, if it is not declared (PTX
/// ISA, "Kernel Parameter Attribute: .ptr").
const POINTEE_ALIGNMENT: u32 = 4;

/// The words of a declaration before the name.
pub(super) struct Attributes {
    pub space: StateSpace,
    pub opaque: Option<StateSpace>,
    pub pointee: Option<Pointee>,
    pub linkage: Linkage,
    pub align: Option<(u32, Span)>,
    pub ty: ScalarType,
    pub vector: u32,
    pub start: Span,
}

/// State spaces in which a variable can be declared.
pub(super) const SPACES: [(&str, StateSpace); 7] = [
    ("reg", StateSpace::Reg),
    ("const", StateSpace::Const),
    ("global", StateSpace::Global),
    ("local", StateSpace::Local),
    ("param", StateSpace::Param),
    ("shared", StateSpace::Shared),
    ("tex", StateSpace::Tex),
];

/// Opaque types: the word, its space, and the noun.
const OPAQUE: [(&str, StateSpace, &str); 3] = [
    ("texref", StateSpace::Tex, "texture"),
    ("surfref", StateSpace::Surf, "surface"),
    ("samplerref", StateSpace::Sampler, "sampler"),
];

/// The words that were read so far.
#[derive(Default)]
struct Words {
    space: Option<StateSpace>,
    ty: Option<ScalarType>,
    align: Option<(u32, Span)>,
    vector: Option<u32>,
    linkage: Linkage,
    /// The opaque type and its place.
    opaque: Option<(StateSpace, Span)>,
    pointee: Option<(Pointee, Span)>,
}

impl Parser<'_> {
    pub(super) fn attributes(&mut self) -> Parsed<Attributes> {
        let start = self.peek().span;
        let mut words = Words::default();
        while let Some(word) = self.dot() {
            let span = self.take().span;
            self.record_versioned(word);
            self.attribute(word, span, &mut words)?;
        }
        let Some(space) = words.space else {
            let message = "the declaration has no state space";
            let label = "expected .reg, .const, .global, .local, .param or .shared";
            return self.error("E0116", message, start, label);
        };
        let (space, opaque) = self.opaque(&words, space)?;
        // A handle has 64 bits for every address size.
        let Some(ty) = words.ty.or(words.opaque.map(|_| opaque_type(space))) else {
            let place = self.peek().span;
            return self.error(
                "E0116",
                "the declaration has no type",
                place,
                "expected a type such as .u32 before this",
            );
        };
        let Words { align, linkage, pointee, vector, .. } = words;
        let vector = vector.unwrap_or(1);
        if let Some((_, span)) = pointee {
            let is_address = matches!(ty.bytes(), 4 | 8)
                && matches!(ty.kind(), TypeKind::Bits | TypeKind::Unsigned | TypeKind::Signed);
            if space != StateSpace::Param || !is_address || vector > 1 {
                let message = "`.ptr` describes a parameter that is a pointer";
                let label = "expected .param and a 32-bit or 64-bit integer type";
                return self.error("E0116", message, span, label);
            }
        }
        let pointee = pointee.map(|(pointee, _)| pointee);
        Ok(Attributes { space, opaque, pointee, linkage, align, ty, vector, start })
    }

    /// Adds a word, which is at `span`.
    fn attribute(&mut self, word: &str, span: Span, words: &mut Words) -> Parsed<()> {
        if let Some((_, found)) = SPACES.iter().find(|(name, _)| *name == word) {
            self.space(*found, span, words)?;
            return self.const_bank();
        }
        if let Some(found) = ScalarType::from_name(word) {
            if words.ty.replace(found).is_some() {
                return self.error("E0116", "the declaration has two types", span, "expected one type");
            }
            return Ok(());
        }
        if let Some((_, of, _)) = OPAQUE.iter().find(|(name, ..)| *name == word) {
            words.opaque = Some((*of, span));
            return Ok(());
        }
        match word {
            "align" => {
                let (value, place) = self.count()?;
                if !value.is_power_of_two() {
                    let message = format!("invalid alignment of {value} bytes");
                    return self.error("E0116", message, place, "expected a power of two");
                }
                match &mut words.pointee {
                    Some((pointee, _)) => pointee.align = value,
                    None => words.align = Some((value, span.to(place))),
                }
            }
            "v2" => words.vector = Some(2),
            "v4" => words.vector = Some(4),
            "ptr" => words.pointee = Some((Pointee { space: None, align: POINTEE_ALIGNMENT }, span)),
            "surf" => {
                let message = "`.surf` variables are not supported by this simulator";
                return self.error("E0119", message, span, "write `.global .surfref`");
            }
            _ => match Linkage::of(word) {
                Some(_) if words.linkage != Linkage::Local => {
                    let message = "the declaration has two linkages";
                    return self.error("E0116", message, span, "expected one linkage");
                }
                Some(found) => words.linkage = found,
                None => return self.unknown_attribute(word, span),
            },
        }
        Ok(())
    }

    /// Adds a state space: that of the variable, or after `.ptr` that of the memory to which the
    /// parameter points.
    fn space(&mut self, found: StateSpace, span: Span, words: &mut Words) -> Parsed<()> {
        let message = match &mut words.pointee {
            None => match words.space.replace(found) {
                None => return Ok(()),
                Some(_) => "the declaration has two state spaces",
            },
            Some((pointee, _)) => {
                use StateSpace::{Const, Global, Local, Shared};
                if !matches!(found, Const | Global | Local | Shared) {
                    let message = format!("a parameter cannot point to {found} memory");
                    let label = "expected .const, .global, .local or .shared";
                    return self.error("E0116", message, span, label);
                }
                match pointee.space.replace(found) {
                    None => return Ok(()),
                    Some(_) => "the pointer has two state spaces",
                }
            }
        };
        self.error("E0116", message, span, "expected one state space")
    }

    /// Returns the state space of a variable in `space`, and the object that a parameter selects.
    fn opaque(&mut self, words: &Words, space: StateSpace) -> Parsed<(StateSpace, Option<StateSpace>)> {
        let Some((of, span)) = words.opaque else { return Ok((space, None)) };
        match space {
            StateSpace::Global => Ok((of, None)),
            StateSpace::Param => Ok((space, Some(of))),
            _ => {
                let (word, what) = OPAQUE
                    .iter()
                    .find(|(_, known, _)| *known == of)
                    .map_or(("texref", "texture"), |(word, _, what)| (*word, *what));
                let message = format!("a {what} reference cannot be in {space} memory");
                let label = format!("expected .global .{word} or .param .{word}");
                self.error("E0116", message, span, label)
            }
        }
    }

    fn unknown_attribute<T>(&mut self, word: &str, span: Span) -> Parsed<T> {
        let types = ScalarType::ALL.iter().map(|(name, _)| *name);
        let words = types.chain(SPACES.iter().map(|(name, _)| *name)).chain(["align", "v2", "v4", "ptr"]);
        let near = Self::nearest(word, words.chain(Linkage::ALL.map(|(name, _)| name)));
        let message = format!("unknown word `.{word}` in a declaration");
        let label = "expected a state space, type, .align, .v2 or .v4";
        self.report(Diagnostic::error("E0116", span, message).label(label).meant(near))
    }

    /// Parses `{ member = value, … }` of a sampler.
    pub(super) fn members(&mut self) -> Parsed<Sampler> {
        self.expect(TokenKind::LBrace, "`{` before the members of the sampler")?;
        let mut sampler = Sampler::default();
        loop {
            let member = self.name("a member of the sampler")?;
            self.expect(TokenKind::Equals, "`=` after the member")?;
            let axis = ["addr_mode_0", "addr_mode_1", "addr_mode_2"].iter().position(|n| *n == member.name);
            match (axis, member.name) {
                (Some(axis), _) => {
                    sampler.address[axis] = self.word(&SamplerAddress::NAMES, "address mode")?;
                }
                (None, "filter_mode") => {
                    sampler.linear = self.word(&[("nearest", false), ("linear", true)], "filter")?;
                }
                (None, "force_unnormalized_coords") => sampler.unnormalized = self.flag()?,
                (None, name) => {
                    let message = format!("a sampler has no member `{name}`");
                    let label = "expected addr_mode_0, 1, 2, filter_mode or force_unnormalized_coords";
                    return self.error("E0118", message, member.span, label);
                }
            }
            if self.take_if(TokenKind::RBrace).is_some() {
                return Ok(sampler);
            }
            self.expect(TokenKind::Comma, "`,` or `}` after the member")?;
        }
    }

    /// Parses one of the words of a member.
    fn word<T: Copy>(&mut self, words: &[(&str, T)], what: &str) -> Parsed<T> {
        let given = self.name("a word")?;
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == given.name) {
            return Ok(*value);
        }
        let all = words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
        let message = format!("`{}` is not supported as {what} of a sampler", given.name);
        self.error("E0118", message, given.span, format!("expected one of: {all}"))
    }

    /// Parses 0, 1, `false` or `true`.
    fn flag(&mut self) -> Parsed<bool> {
        if self.is(TokenKind::Ident) && !self.begins_constant() {
            return self.word(&[("false", false), ("true", true)], "value");
        }
        match self.integer()? {
            (0, _) => Ok(false),
            (1, _) => Ok(true),
            (value, span) => {
                self.error("E0118", format!("{value} is not a truth value"), span, "expected 0 or 1")
            }
        }
    }
}

/// Type of a variable of an opaque type. That of a texture or surface in the module has no meaning.
fn opaque_type(space: StateSpace) -> ScalarType {
    if space == StateSpace::Param { ScalarType::U64 } else { ScalarType::U32 }
}
