//! JSON whose objects keep the order of their members.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// A JSON value.
#[derive(Clone, Debug)]
pub enum Json {
    /// A string.
    Text(String),
    /// An integer.
    Int(i128),
    /// A number.
    Number(f64),
    /// `true` or `false`.
    Flag(bool),
    /// An array.
    List(Vec<Self>),
    /// An object with its members.
    Object(Object),
}

/// A JSON object: its members in order.
#[derive(Clone, Debug, Default)]
pub struct Object(pub Vec<(String, Json)>);

impl Object {
    /// The object with one more member.
    pub fn with(mut self, name: &str, value: impl Into<Json>) -> Self {
        self.0.push((name.to_owned(), value.into()));
        self
    }
}

/// An array of strings.
pub fn texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Json {
    Json::List(texts.into_iter().map(Json::from).collect())
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<bool> for Json {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<Object> for Json {
    fn from(object: Object) -> Self {
        Self::Object(object)
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Int(value) => match u64::try_from(*value) {
                Ok(value) => serializer.serialize_u64(value),
                Err(_) => serializer.serialize_i64(i64::try_from(*value).unwrap_or(i64::MIN)),
            },
            Self::Number(value) => serializer.serialize_f64(*value),
            Self::Flag(value) => serializer.serialize_bool(*value),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(object) => object.serialize(serializer),
        }
    }
}
