//! Reads the calls of the host program: `copy_in(stream: 1, buf: "a")`, `launch(stream: 1)`.

use super::super::schema::{CopyEntry, LaunchEntry, StreamEntry};
use super::super::{Spanned, codes};
use super::{optional_u32, params, read_extent, spanned_string};
use isa::diag::Diagnostic;
use isa::span::Span;
use sim_core::config::read::{Fields, Reader};
use sim_core::config::tree::{Kind, Node};

/// Largest number of a stream.
const STREAMS: i128 = 256;

/// Kinds of calls.
#[derive(Clone, Copy)]
enum Word {
    CopyIn,
    CopyOut,
    Launch,
    Record,
    Wait,
    Synchronize,
}

/// Kinds of calls by their names in launch files.
const WORDS: [(&str, Word); 6] = [
    ("copy_in", Word::CopyIn),
    ("copy_out", Word::CopyOut),
    ("launch", Word::Launch),
    ("record", Word::Record),
    ("wait", Word::Wait),
    ("synchronize", Word::Synchronize),
];

/// Reads the list of calls.
pub fn read_streams(fields: &Fields<'_>) -> Vec<StreamEntry> {
    let Some(node) = fields.optional("streams") else { return Vec::new() };
    let reader = fields.reader();
    let Some(items) = reader.items(node, "streams") else { return Vec::new() };
    let entries: Vec<StreamEntry> = items.iter().filter_map(|item| read_entry(reader, item)).collect();
    let has_launch = entries.iter().any(|entry| matches!(entry, StreamEntry::Launch(_)));
    if !has_launch && entries.len() == items.len() {
        let message = "`streams` has no launch";
        reader.push(
            Diagnostic::error(codes::STREAMS, message, node.span, "expected `launch(stream: 1)`")
                .help("the list replaces the launch of the file; leave it out for a single launch"),
        );
    }
    entries
}

fn read_entry(reader: &Reader, node: &Node) -> Option<StreamEntry> {
    let tagged = reader.tagged(node, "a call of streams", &WORDS.map(|(word, _)| word))?;
    if let Some(args) =
        tagged.args.filter(|args| matches!(&args.kind, Kind::Tuple(items) if !items.is_empty()))
    {
        reader.wrong_type(args, tagged.word, "`(field: value, …)`");
        return None;
    }
    let (_, word) = WORDS.iter().find(|(word, _)| *word == tagged.word)?;
    let fields = tagged.fields;
    let entry = match word {
        Word::CopyIn => read_copy(&fields, node.span).map(StreamEntry::CopyIn),
        Word::CopyOut => read_copy(&fields, node.span).map(StreamEntry::CopyOut),
        Word::Launch => read_launch(&fields).map(|launch| StreamEntry::Launch(Box::new(launch))),
        Word::Record => {
            let (stream, event) = (read_stream(&fields).ok(), read_event(&fields));
            stream.and_then(|stream| Some(StreamEntry::Record(stream, event?)))
        }
        Word::Wait => {
            let (given, stream, event) =
                (fields.required("stream"), read_stream(&fields).ok(), read_event(&fields));
            given.and(stream).and_then(|stream| Some(StreamEntry::Wait(stream?, event?)))
        }
        Word::Synchronize => read_synchronize(&fields, node.span),
    };
    fields.finish();
    entry
}

/// A wrong value, which has been reported.
struct Reported;

/// Reads `stream: 1`, if it is there.
fn read_stream(fields: &Fields<'_>) -> Result<Option<u32>, Reported> {
    let Some(node) = fields.optional("stream") else { return Ok(None) };
    let reader = fields.reader();
    if matches!(node.kind, Kind::Int(0)) {
        let message = "stream 0 is not a stream of the list";
        reader.push(
            Diagnostic::error(codes::STREAMS, message, node.span, "expected a number from 1")
                .help("leave out `stream` for a call in the default stream"),
        );
        return Err(Reported);
    }
    reader.int(node, "a stream", &(1..=STREAMS)).map(|stream| Some(stream as u32)).ok_or(Reported)
}

fn read_event(fields: &Fields<'_>) -> Option<Spanned<String>> {
    fields.required("event").and_then(|node| spanned_string(fields.reader(), node, "an event's name"))
}

fn read_copy(fields: &Fields<'_>, span: Span) -> Option<CopyEntry> {
    let reader = fields.reader();
    let stream = read_stream(fields).ok();
    let buffer = fields.required("buf").and_then(|node| spanned_string(reader, node, "a buffer's name"));
    let count = |name, least| {
        let node = fields.optional(name)?;
        reader.int(node, name, &(least..=1 << 32)).map(|count| count as u64)
    };
    let (first, len) = (count("first", 0).unwrap_or(0), count("len", 1));
    Some(CopyEntry { stream: stream?, buffer: buffer?, first, len, span })
}

fn read_launch(fields: &Fields<'_>) -> Option<LaunchEntry> {
    let reader = fields.reader();
    let extent = |name| fields.optional(name).and_then(|node| read_extent(reader, node, name));
    let stream = read_stream(fields).ok();
    let launch = LaunchEntry {
        stream: None,
        entry: fields.optional("entry").and_then(|node| spanned_string(reader, node, "entry")),
        grid: extent("grid"),
        block: extent("block"),
        dynamic_shared: optional_u32(fields, "dynamic_shared", 0),
        params: params::read_params(fields),
    };
    Some(LaunchEntry { stream: stream?, ..launch })
}

fn read_synchronize(fields: &Fields<'_>, span: Span) -> Option<StreamEntry> {
    let stream = read_stream(fields).ok();
    let event = fields.optional("event").map(|node| spanned_string(fields.reader(), node, "an event's name"));
    match (stream?, event) {
        (None, None) => Some(StreamEntry::Synchronize),
        (Some(stream), None) => Some(StreamEntry::SynchronizeStream(stream)),
        (None, Some(event)) => event.map(StreamEntry::SynchronizeEvent),
        (Some(_), Some(_)) => {
            let message = "`synchronize` has both a stream and an event";
            let label = "remove one of the two fields";
            fields.reader().push(Diagnostic::error(codes::STREAMS, message, span, label));
            None
        }
    }
}
