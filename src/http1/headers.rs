//! A list of header fields in the order of the wire: all bytes in one allocation, the fields as
//! offsets into it. Names compare without case (RFC 9110 section 5.1); values are bytes, not text.

use std::fmt;

/// Header fields of a request or a response.
#[derive(Clone, Default)]
pub struct HeaderList {
    bytes: Vec<u8>,
    fields: Vec<Field>,
}

/// Where a field's name starts in `bytes`; its value follows directly.
#[derive(Clone, Copy)]
struct Field {
    at: u32,
    name_len: u32,
    value_len: u32,
}

impl HeaderList {
    pub fn new() -> HeaderList {
        HeaderList::default()
    }

    pub fn with_capacity(fields: usize, bytes: usize) -> HeaderList {
        HeaderList { bytes: Vec::with_capacity(bytes), fields: Vec::with_capacity(fields) }
    }

    pub fn len(&self) -> usize {
        self.fields.len()
    }

    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Appends a field; an equal name may stand twice.
    pub fn push(&mut self, name: &[u8], value: &[u8]) {
        let at = self.bytes.len();
        assert!(
            at + name.len() + value.len() <= u32::MAX as usize,
            "a header list stays far below 4 GiB"
        );
        self.bytes.extend_from_slice(name);
        self.bytes.extend_from_slice(value);
        self.fields.push(Field {
            at: at as u32,
            name_len: name.len() as u32,
            value_len: value.len() as u32,
        });
    }

    /// Replaces every field of that name by one, at the place of the first.
    pub fn set(&mut self, name: &[u8], value: &[u8]) {
        match self.position(name) {
            None => self.push(name, value),
            Some(first) => {
                self.push(name, value);
                let fresh = self.fields.pop().expect("the field was pushed above");
                let mut index = 0;
                let bytes = &self.bytes;
                self.fields.retain(|field| {
                    index += 1;
                    index - 1 <= first || !field.name(bytes).eq_ignore_ascii_case(name)
                });
                self.fields[first] = fresh;
            }
        }
    }

    /// Removes every field of that name; returns how many there were.
    pub fn remove(&mut self, name: &[u8]) -> usize {
        let before = self.fields.len();
        let bytes = &self.bytes;
        self.fields.retain(|field| !field.name(bytes).eq_ignore_ascii_case(name));
        before - self.fields.len()
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.fields.clear();
    }

    /// The first value of that name.
    pub fn get(&self, name: impl AsRef<[u8]>) -> Option<&[u8]> {
        self.position(name.as_ref()).map(|i| self.fields[i].value(&self.bytes))
    }

    /// The first value of that name, if it is UTF-8.
    pub fn get_str(&self, name: impl AsRef<[u8]>) -> Option<&str> {
        self.get(name).and_then(|v| std::str::from_utf8(v).ok())
    }

    pub fn contains(&self, name: impl AsRef<[u8]>) -> bool {
        self.position(name.as_ref()).is_some()
    }

    pub fn at(&self, index: usize) -> Option<(&[u8], &[u8])> {
        self.fields.get(index).map(|f| (f.name(&self.bytes), f.value(&self.bytes)))
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[u8], &[u8])> + Clone {
        self.fields.iter().map(|f| (f.name(&self.bytes), f.value(&self.bytes)))
    }

    /// The bytes held, names and values together.
    pub fn byte_len(&self) -> usize {
        self.bytes.len()
    }

    fn position(&self, name: &[u8]) -> Option<usize> {
        self.fields.iter().position(|f| f.name(&self.bytes).eq_ignore_ascii_case(name))
    }
}

impl Field {
    fn name<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        let at = self.at as usize;
        &bytes[at..at + self.name_len as usize]
    }

    fn value<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        let at = self.at as usize + self.name_len as usize;
        &bytes[at..at + self.value_len as usize]
    }
}

impl<'a> FromIterator<(&'a [u8], &'a [u8])> for HeaderList {
    fn from_iter<I: IntoIterator<Item = (&'a [u8], &'a [u8])>>(fields: I) -> HeaderList {
        let mut list = HeaderList::new();
        for (name, value) in fields {
            list.push(name, value);
        }
        list
    }
}

impl PartialEq for HeaderList {
    fn eq(&self, other: &HeaderList) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for HeaderList {}

/// Names only: values may hold keys and tokens, which must never reach a log.
impl fmt::Debug for HeaderList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(|(n, _)| String::from_utf8_lossy(n))).finish()
    }
}
