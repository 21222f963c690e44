//! A node of the tree of a chip as RON on one line, and as JSON.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use sim_core::config::tree::{Node, NodeKind};

/// Returns the node as RON on one line.
pub fn ron(node: &Node) -> String {
    let list = |items: &[Node]| items.iter().map(ron).collect::<Vec<_>>().join(", ");
    match &node.kind {
        NodeKind::Bool(value) => value.to_string(),
        NodeKind::Int(value) => value.to_string(),
        NodeKind::Float(value) => float(*value),
        NodeKind::Str(text) => format!("{text:?}"),
        NodeKind::Variant { name, args: None, .. } => name.clone(),
        NodeKind::Variant { name, args: Some(args), .. } => format!("{name}{}", ron(args)),
        NodeKind::Struct(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|f| format!("{}: {}", f.name, ron(&f.value))).collect();
            format!("({})", fields.join(", "))
        }
        NodeKind::Map(entries) => {
            let entries: Vec<String> =
                entries.iter().map(|(k, v)| format!("{}: {}", ron(k), ron(v))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        NodeKind::List(items) => format!("[{}]", list(items)),
        NodeKind::Tuple(items) => format!("({})", list(items)),
        NodeKind::Other => "?".to_owned(),
    }
}

/// A number with a point, so that it is read as a number with a fraction again.
fn float(value: f64) -> String {
    format!("{value:?}")
}

/// Serializes a node: structs and maps are objects, in the order of the file.
pub struct AsJson<'n>(pub &'n Node);

impl Serialize for AsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0.kind {
            NodeKind::Bool(value) => serializer.serialize_bool(*value),
            NodeKind::Int(value) => match u64::try_from(*value) {
                Ok(value) => serializer.serialize_u64(value),
                Err(_) => serializer.serialize_i64(i64::try_from(*value).unwrap_or(i64::MIN)),
            },
            NodeKind::Float(value) => serializer.serialize_f64(*value),
            NodeKind::Str(text) | NodeKind::Variant { name: text, args: None, .. } => {
                serializer.serialize_str(text)
            }
            NodeKind::Variant { name, args: Some(args), .. } => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry(name, &AsJson(args))?;
                map.end()
            }
            NodeKind::Struct(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for field in fields {
                    map.serialize_entry(&field.name, &AsJson(&field.value))?;
                }
                map.end()
            }
            NodeKind::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    let key = match &key.kind {
                        NodeKind::Str(text) => text.clone(),
                        _ => ron(key),
                    };
                    map.serialize_entry(&key, &AsJson(value))?;
                }
                map.end()
            }
            NodeKind::List(items) | NodeKind::Tuple(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(&AsJson(item))?;
                }
                list.end()
            }
            NodeKind::Other => serializer.serialize_unit(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::config::tree;

    const TEXT: &str =
        "(a: 1_000, b: [2.0, -1], c: two(n: 8), d: {\"k\": true}, e: (1, 2), f: \"x\\\"y\", g: lone, h: ())";

    #[test]
    fn written_ron_is_read_as_the_same_node() {
        let written = ron(&tree::parse(TEXT, 0).unwrap());
        assert_eq!(
            written,
            "(a: 1000, b: [2.0, -1], c: two(n: 8), d: {\"k\": true}, e: (1, 2), f: \"x\\\"y\", g: lone, h: ())"
        );
        assert_eq!(ron(&tree::parse(&written, 0).unwrap()), written);
    }

    #[test]
    fn json_keeps_the_order() {
        let json = serde_json::to_string(&AsJson(&tree::parse(TEXT, 0).unwrap())).unwrap();
        assert_eq!(
            json,
            "{\"a\":1000,\"b\":[2.0,-1],\"c\":{\"two\":{\"n\":8}},\"d\":{\"k\":true},\"e\":[1,2],\"f\":\"x\\\"y\",\
             \"g\":\"lone\",\"h\":[]}"
        );
    }
}
