//! The derives `Value`, `Part` and `CloneFrom` of `sim_core::state`: how the state of the machine
//! becomes bytes, and how it is copied.
//!
//! All cover every field, so a new field of the machine cannot be forgotten: it is a part of the
//! state, unless it has an attribute that says otherwise.
//!
//! It must not know a type of the machine.

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::{format_ident, quote};
use syn::{Data, DataEnum, DeriveInput, Error, Field, Fields, Generics, Result, parse_macro_input};

/// Derives `Value` for a struct or an enum: all fields are written in their order, after the number
/// of the variant of an enum.
#[proc_macro_derive(Value)]
pub fn value(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    value_of(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Derives `Part` for a struct with named fields. A field is a `Value`, unless it has one of these
/// attributes:
///
/// - `#[state(part)]`: it is a `Part`, which is restored in place.
/// - `#[state(fixed)]`: it is the same in every machine of the launch, and is not written.
#[proc_macro_derive(Part, attributes(state))]
pub fn part(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    part_of(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Derives `Clone` for a struct or an enum. Unlike the derive of the standard library, `clone_from`
/// copies field by field, so that the lists of the target keep their memory.
#[proc_macro_derive(CloneFrom)]
pub fn clone_from(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    clone_of(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Returns the generics with `bound` for each type parameter.
fn bounded(generics: &Generics, bound: &Tokens) -> Generics {
    let mut generics = generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(syn::parse_quote!(#bound));
    }
    generics
}

/// Returns the pattern of fields that binds them to names, and the names.
fn pattern(fields: &Fields) -> (Tokens, Vec<syn::Ident>) {
    match fields {
        Fields::Named(named) => {
            let names: Vec<_> = named.named.iter().filter_map(|field| field.ident.clone()).collect();
            (quote!({ #(#names),* }), names)
        }
        Fields::Unnamed(unnamed) => {
            let names: Vec<_> =
                (0..unnamed.unnamed.len()).map(|number| format_ident!("field{number}")).collect();
            (quote!((#(#names),*)), names)
        }
        Fields::Unit => (quote!(), Vec::new()),
    }
}

/// Returns the code that takes fields from the reader.
fn taken(fields: &Fields) -> Tokens {
    let take = quote!(crate::state::Value::take(from)?);
    match fields {
        Fields::Named(named) => {
            let names = named.named.iter().map(|field| &field.ident);
            quote!({ #(#names: #take),* })
        }
        Fields::Unnamed(unnamed) => {
            let all = unnamed.unnamed.iter().map(|_| &take);
            quote!((#(#all),*))
        }
        Fields::Unit => quote!(),
    }
}

fn value_of(input: &DeriveInput) -> Result<Tokens> {
    let (put, take) = match &input.data {
        Data::Struct(of) => {
            let (pattern, names) = pattern(&of.fields);
            let taken = taken(&of.fields);
            (
                quote!(let Self #pattern = self; #(crate::state::Value::put(#names, out);)*),
                quote!(Self #taken),
            )
        }
        Data::Enum(of) => variants(of),
        Data::Union(_) => return Err(Error::new_spanned(input, "a union is not a value")),
    };
    let generics = bounded(&input.generics, &quote!(crate::state::Value));
    let (name, (generics, types, bounds)) = (&input.ident, generics.split_for_impl());
    Ok(quote! {
        #[automatically_derived]
        impl #generics crate::state::Value for #name #types #bounds {
            fn put(&self, out: &mut crate::state::Writer) {
                #put
            }
            fn take(
                from: &mut crate::state::Reader<'_>,
            ) -> ::std::result::Result<Self, crate::state::Corrupt> {
                Ok(#take)
            }
        }
    })
}

/// Returns the code that writes and reads an enum.
fn variants(of: &DataEnum) -> (Tokens, Tokens) {
    let numbered = || (0_u8..).zip(&of.variants);
    let put = numbered().map(|(number, variant)| {
        let (name, (pattern, names)) = (&variant.ident, pattern(&variant.fields));
        quote!(Self::#name #pattern => { out.byte(#number); #(crate::state::Value::put(#names, out);)* })
    });
    let take = numbered().map(|(number, variant)| {
        let (name, taken) = (&variant.ident, taken(&variant.fields));
        quote!(#number => Self::#name #taken)
    });
    (
        quote!(match self { #(#put)* }),
        quote!(match from.byte()? { #(#take,)* _ => return Err(from.corrupt()) }),
    )
}

fn clone_of(input: &DeriveInput) -> Result<Tokens> {
    let variants: Vec<(Tokens, &Fields)> = match &input.data {
        Data::Struct(of) => vec![(quote!(Self), &of.fields)],
        Data::Enum(of) => {
            let named = |variant: &'_ syn::Ident| quote!(Self::#variant);
            of.variants.iter().map(|variant| (named(&variant.ident), &variant.fields)).collect()
        }
        Data::Union(_) => return Err(Error::new_spanned(input, "a union is not copied by fields")),
    };
    let (mut clone, mut clone_from) = (Vec::new(), Vec::new());
    for (name, fields) in &variants {
        let members: Vec<syn::Member> = fields.members().collect();
        let to: Vec<_> = (0..members.len()).map(|number| format_ident!("to{number}")).collect();
        let from: Vec<_> = (0..members.len()).map(|number| format_ident!("from{number}")).collect();
        clone.push(quote!(#name { #(#members: #from),* } =>
            #name { #(#members: ::std::clone::Clone::clone(#from)),* }));
        clone_from.push(quote!((#name { #(#members: #to),* }, #name { #(#members: #from),* }) => {
            #(::std::clone::Clone::clone_from(#to, #from);)*
        }));
    }
    if variants.len() > 1 {
        clone_from.push(quote!((to, from) => *to = ::std::clone::Clone::clone(from)));
    }
    let generics = bounded(&input.generics, &quote!(::std::clone::Clone));
    let (name, (generics, types, bounds)) = (&input.ident, generics.split_for_impl());
    Ok(quote! {
        #[automatically_derived]
        impl #generics ::std::clone::Clone for #name #types #bounds {
            fn clone(&self) -> Self {
                match self { #(#clone,)* }
            }
            fn clone_from(&mut self, source: &Self) {
                match (self, source) { #(#clone_from,)* }
            }
        }
    })
}

/// How a field of a part is stored.
enum FieldKind {
    Value,
    Part,
    Fixed,
}

fn kind(field: &Field) -> Result<FieldKind> {
    let mut kind = FieldKind::Value;
    for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("state")) {
        attribute.parse_nested_meta(|word| {
            if word.path.is_ident("part") {
                kind = FieldKind::Part;
            } else if word.path.is_ident("fixed") {
                kind = FieldKind::Fixed;
            } else {
                return Err(word.error("expected `part` or `fixed`"));
            }
            Ok(())
        })?;
    }
    Ok(kind)
}

fn part_of(input: &DeriveInput) -> Result<Tokens> {
    let Data::Struct(of) = &input.data else {
        return Err(Error::new_spanned(input, "only a struct is a part"));
    };
    let (mut save, mut load) = (Vec::new(), Vec::new());
    for field in &of.fields {
        let Some(name) = &field.ident else {
            return Err(Error::new_spanned(field, "a part has named fields"));
        };
        match kind(field)? {
            FieldKind::Value => {
                save.push(quote!(crate::state::Value::put(&self.#name, out);));
                load.push(quote!(self.#name = crate::state::Value::take(from)?;));
            }
            FieldKind::Part => {
                save.push(quote!(crate::state::Part::save(&self.#name, out);));
                load.push(quote!(crate::state::Part::load(&mut self.#name, from)?;));
            }
            FieldKind::Fixed => {}
        }
    }
    let generics = bounded(&input.generics, &quote!(crate::state::Value));
    let (name, (generics, types, bounds)) = (&input.ident, generics.split_for_impl());
    Ok(quote! {
        #[automatically_derived]
        impl #generics crate::state::Part for #name #types #bounds {
            fn save(&self, out: &mut crate::state::Writer) {
                #(#save)*
            }
            fn load(
                &mut self,
                from: &mut crate::state::Reader<'_>,
            ) -> ::std::result::Result<(), crate::state::Corrupt> {
                #(#load)*
                Ok(())
            }
        }
    })
}
