//! Structures and arrays as arguments of a kernel: their values by the types of CUDA C.

use super::argument::Argument;
use super::value::{Number, encode, mixes_kinds};
use isa::diag::{listed, nearest};
use isa::span::{Span, Spanned};
use isa::types::ScalarType;
use isa::uop::{Param, Program};
use isa::variables::{Field, Local, Type, TypeId, Variables};

/// Error in a part of an argument.
#[derive(Debug, PartialEq)]
pub struct Wrong {
    /// The part.
    pub span: Span,
    /// Why it is wrong.
    pub why: String,
}

/// Returns the bytes of a structure or an array. `address` returns the address of a byte of a
/// buffer.
///
/// # Errors
/// Every part that is wrong.
pub fn bytes(
    program: &Program,
    param: &Param,
    argument: &Spanned<Argument>,
    address: &mut dyn FnMut(&str, u64) -> u64,
) -> Result<Vec<u8>, Vec<Wrong>> {
    let variables = program.ptx.variables();
    let Some(local) = variable(program, param) else {
        let why = "fields and elements need a kernel in CUDA C; `bytes([…])` gives the bytes".to_owned();
        return Err(vec![Wrong { span: argument.span, why }]);
    };
    let mut writer = Writer { variables, address, wrong: Vec::new() };
    let mut out = vec![0; param.bytes as usize];
    if variables.bytes(local.ty) == u64::from(param.bytes) {
        writer.write(local.ty, argument, &mut out);
    } else {
        let why = format!("`{}` has {} bytes", local.c_type, param.bytes);
        writer.wrong.push(Wrong { span: argument.span, why });
    }
    if writer.wrong.is_empty() { Ok(out) } else { Err(writer.wrong) }
}

/// Whether a parameter is a structure in CUDA C.
pub fn is_structure(program: &Program, param: &Param) -> bool {
    let local = variable(program, param);
    local.is_some_and(|local| matches!(program.ptx.variables().get(local.ty), Type::Struct(..)))
}

/// Returns an argument for a structure, with 1 for each number, and the buffers that its pointers
/// need: their names and the types of their elements. `None` if the parameter is no structure.
pub fn placeholder(program: &Program, param: &Param) -> Option<(String, Vec<(String, ScalarType)>)> {
    let local = variable(program, param).filter(|_| is_structure(program, param))?;
    let mut buffers = Vec::new();
    let text = example(program.ptx.variables(), local.ty, &param.name, &mut buffers);
    Some((text, buffers))
}

fn example(all: &Variables, ty: TypeId, name: &str, buffers: &mut Vec<(String, ScalarType)>) -> String {
    match all.get(ty) {
        Type::Struct(fields, _) => {
            let field = |field: &Field| {
                let name = format!("{name}_{}", field.name);
                format!("{}: {}", field.name, example(all, field.ty, &name, buffers))
            };
            format!("({})", flat(all, fields, 0).iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Type::Array(element, count) => {
            format!("[{}]", vec![example(all, *element, name, buffers); *count as usize].join(", "))
        }
        Type::Pointer(to, _) => {
            let Type::Scalar(ty) = all.get(*to) else { return "0".to_owned() };
            buffers.push((name.to_owned(), *ty));
            format!("buf(\"{name}\")")
        }
        Type::Bool => "true".to_owned(),
        Type::Void | Type::Scalar(_) => "1".to_owned(),
    }
}

/// The variable of CUDA C of a parameter.
fn variable<'p>(program: &'p Program, param: &Param) -> Option<&'p Local> {
    let mut locals = program.ptx.variables().locals.iter().filter(|local| local.function == program.name);
    locals.find(|local| local.parameter.as_deref() == Some(&*param.name))
}

struct Writer<'a> {
    variables: &'a Variables,
    address: &'a mut dyn FnMut(&str, u64) -> u64,
    wrong: Vec<Wrong>,
}

impl Writer<'_> {
    fn wrong(&mut self, span: Span, why: impl Into<String>) {
        self.wrong.push(Wrong { span, why: why.into() });
    }

    /// Writes a value of a type to its bytes.
    fn write(&mut self, ty: TypeId, argument: &Spanned<Argument>, out: &mut [u8]) {
        let span = argument.span;
        match (self.variables.get(ty), &argument.value) {
            (Type::Struct(fields, _), Argument::Fields(given)) => self.fields(fields, given, span, out),
            (Type::Array(element, count), Argument::Elements(given)) => {
                if given.len() as u64 != *count {
                    return self.wrong(span, format!("the array has {count} elements"));
                }
                let size = self.variables.bytes(*element) as usize;
                for (one, out) in given.iter().zip(out.chunks_mut(size.max(1))) {
                    self.write(*element, one, out);
                }
            }
            (Type::Pointer(..), Argument::Buffer(name, offset)) => {
                let address = (self.address)(name, *offset);
                let bytes = out.len().min(8);
                out[..bytes].copy_from_slice(&address.to_le_bytes()[..bytes]);
            }
            (Type::Pointer(..), Argument::Number(Number::Int(0))) => {}
            (Type::Bool, Argument::Number(Number::Int(bit @ 0..=1))) => out[0] = *bit as u8,
            (Type::Scalar(ty), Argument::Number(number)) => self.number(*ty, *number, span, out),
            (Type::Scalar(ty), Argument::Scalar(of, bytes))
                if of.bytes() == ty.bytes() && !mixes_kinds(*of, *ty) =>
            {
                out.copy_from_slice(bytes);
            }
            (_, Argument::Bytes(bytes)) if bytes.len() == out.len() => out.copy_from_slice(bytes),
            (Type::Struct(fields, _), _) => {
                let names: Vec<String> = fields.iter().map(|field| format!("{}: …", field.name)).collect();
                self.wrong(span, format!("the structure is written `({})`", names.join(", ")));
            }
            (Type::Array(_, count), _) => {
                self.wrong(span, format!("the array is written `[…]`, with {count} elements"));
            }
            (Type::Pointer(..), _) => self.wrong(span, "the pointer is written `buf(\"name\")` or `0`"),
            (Type::Bool, _) => self.wrong(span, "the `bool` is written `true` or `false`"),
            (Type::Scalar(ty), _) => self.wrong(span, format!("the field is a number of the type {ty}")),
            (Type::Void, _) => self.wrong(span, "the type has no values"),
        }
    }

    fn number(&mut self, ty: ScalarType, number: Number, span: Span, out: &mut [u8]) {
        let mut bytes = Vec::new();
        match encode(ty, number, &mut bytes) {
            Ok(()) => out.copy_from_slice(&bytes),
            Err(why) => self.wrong(span, why),
        }
    }

    fn fields(
        &mut self,
        fields: &[Field],
        given: &[(Spanned<String>, Spanned<Argument>)],
        span: Span,
        out: &mut [u8],
    ) {
        let all = flat(self.variables, fields, 0);
        let (mut known, before): (Vec<&Field>, usize) = (Vec::new(), self.wrong.len());
        for (index, (name, value)) in given.iter().enumerate() {
            let Some(field) = all.iter().find(|field| field.name == name.value) else {
                let near = nearest(&name.value, all.iter().map(|field| field.name.as_str()));
                let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                self.wrong(name.span, format!("the structure has no field `{}`{near}", name.value));
                continue;
            };
            if given[..index].iter().any(|(other, _)| other.value == name.value) {
                self.wrong(name.span, format!("`{}` has a value already", name.value));
            }
            known.push(field);
            let size = self.variables.bytes(field.ty) as usize;
            let Some(out) = out.get_mut(field.offset as usize..).and_then(|out| out.get_mut(..size)) else {
                continue;
            };
            match field.bits {
                None => self.write(field.ty, value, out),
                Some(bits) => self.bit_field(field.ty, bits, value, out),
            }
        }
        let end = |field: &Field| field.offset + self.variables.bytes(field.ty);
        let overlaps = |a: &Field, b: &Field| {
            a.offset < end(b) && b.offset < end(a) && (a.bits.is_none() || b.bits.is_none())
        };
        let is_missing = |field: &&Field| {
            !known.iter().any(|one| one.name == field.name || overlaps(one, field))
                && !given.iter().any(|(name, _)| name.value == field.name)
        };
        let missing: Vec<&str> = all.iter().filter(is_missing).map(|field| field.name.as_str()).collect();
        if !missing.is_empty() && self.wrong.len() == before {
            self.wrong(span, format!("fields without a value: {}", listed(missing)));
        }
    }

    fn bit_field(&mut self, ty: TypeId, (low, width): (u8, u8), value: &Spanned<Argument>, out: &mut [u8]) {
        let Argument::Number(Number::Int(number)) = value.value else {
            return self.wrong(value.span, "a bit field is a whole number");
        };
        let is_signed = matches!(
            self.variables.get(ty),
            Type::Scalar(ScalarType::S8 | ScalarType::S16 | ScalarType::S32 | ScalarType::S64)
        );
        let (least, largest) = if is_signed {
            (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1)
        } else {
            (0, (1_i128 << width) - 1)
        };
        if !(least..=largest).contains(&number) {
            return self.wrong(
                value.span,
                format!("{number} is out of range: the bit field ranges from {least} to {largest}"),
            );
        }
        let bits = (number as u64 & (u64::MAX >> (64 - width))) << low;
        out.iter_mut().zip(bits.to_le_bytes()).for_each(|(byte, bits)| *byte |= bits);
    }
}

/// The fields of a structure with those of its anonymous members.
fn flat(variables: &Variables, fields: &[Field], offset: u64) -> Vec<Field> {
    let of = |field: &Field| {
        let at = Field { offset: offset + field.offset, ..field.clone() };
        match variables.get(field.ty) {
            Type::Struct(inner, _) if field.name.is_empty() => flat(variables, inner, at.offset),
            _ => vec![at],
        }
    };
    fields.iter().flat_map(of).collect()
}
