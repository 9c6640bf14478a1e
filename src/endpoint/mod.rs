//! From rules and parameters to an endpoint: the values that go in and come out. The rules of a
//! service are data; nothing here reads a network, a file or a clock.

use std::collections::BTreeMap;

/// A parameter's value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Text(Vec<u8>),
    Flag(bool),
    List(Vec<Vec<u8>>),
}

/// Named values that the rules are asked with.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Parameters {
    values: BTreeMap<Vec<u8>, Value>,
}

impl Parameters {
    /// Sets a value; one of the same name is replaced.
    pub fn set(&mut self, name: &[u8], value: Value) {
        self.values.insert(name.to_vec(), value);
    }

    pub fn get(&self, name: &[u8]) -> Option<&Value> {
        self.values.get(name)
    }
}

/// What the rules answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Resolved {
    Endpoint {
        url: String,
        /// JSON text; empty where there is none.
        properties: String,
        headers: Vec<(String, Vec<String>)>,
    },
    /// Why these parameters have no endpoint.
    Error(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameter_of_the_same_name_is_replaced() {
        let mut parameters = Parameters::default();
        parameters.set(b"Region", Value::Text(b"a".to_vec()));
        parameters.set(b"Region", Value::Flag(true));
        assert_eq!(parameters.get(b"Region"), Some(&Value::Flag(true)));
        assert_eq!(parameters.get(b"Bucket"), None);
    }
}
