//! The XML face: a whole document into a small tree, on quick-xml. Bounded in size, depth and
//! number of elements; entities other than the five predefined ones and character references are
//! refused, so nothing can expand. A document that is not well-formed is an error, never a part.

use crate::base::{Code, Error, Result};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::ops::Range;

/// One element. Names are without their prefix.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    /// The element's own text, unescaped; that of its children is theirs.
    pub text: String,
    pub children: Vec<Element>,
    /// Where the raw bytes between the element's tags are in the document.
    pub body: Range<usize>,
}

impl Element {
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|c| c.name == name)
    }

    pub fn children_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |c| c.name == name)
    }

    /// The text of the first child of that name.
    pub fn text_of(&self, name: &str) -> Option<&str> {
        self.child(name).map(|c| c.text.as_str())
    }

    /// The element at a path of names below this one.
    pub fn at(&self, path: &[&str]) -> Option<&Element> {
        path.iter().try_fold(self, |element, name| element.child(name))
    }
}

/// Bounds of a document.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub bytes_max: usize,
    pub depth_max: usize,
    pub elements_max: usize,
}

impl Limits {
    /// Enough for a full page of any S3 listing.
    pub const DEFAULT: Limits =
        Limits { bytes_max: 16 << 20, depth_max: 20, elements_max: 200_000 };
}

/// Parses with the default bounds.
pub fn parse(document: &[u8]) -> Result<Element> {
    parse_within(document, Limits::DEFAULT)
}

/// Parses one document with exactly one root element.
pub fn parse_within(document: &[u8], limits: Limits) -> Result<Element> {
    if document.len() > limits.bytes_max {
        return Err(invalid());
    }
    let text = std::str::from_utf8(document).map_err(|_| invalid())?;
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    let mut open: Vec<Element> = Vec::new();
    let mut root: Option<Element> = None;
    let mut elements = 0usize;
    loop {
        let before = reader.buffer_position();
        let event = reader.read_event().map_err(|_| invalid())?;
        let after = reader.buffer_position();
        match event {
            Event::Start(start) => {
                elements += 1;
                if root.is_some() || open.len() >= limits.depth_max {
                    return Err(invalid());
                }
                open.push(begin(&start, offset(after)?)?);
            }
            Event::Empty(start) => {
                elements += 1;
                if root.is_some() || open.len() >= limits.depth_max {
                    return Err(invalid());
                }
                let element = begin(&start, offset(after)?)?;
                close(element, &mut open, &mut root);
            }
            Event::End(_) => {
                let mut element = open.pop().ok_or_else(invalid)?;
                element.body.end = offset(before)?;
                close(element, &mut open, &mut root);
            }
            Event::Text(text) => {
                push_text(&text, &mut open)?;
            }
            Event::CData(data) => {
                push_text(&data, &mut open)?;
            }
            Event::GeneralRef(reference) => {
                let referred = match reference.resolve_char_ref().map_err(|_| invalid())? {
                    Some(c) => c,
                    None => predefined(&reference)?,
                };
                match open.last_mut() {
                    Some(element) => element.text.push(referred),
                    None => return Err(invalid()),
                }
            }
            Event::Eof => break,
            Event::Decl(_) | Event::Comment(_) | Event::PI(_) | Event::DocType(_) => {}
        }
        if elements > limits.elements_max {
            return Err(invalid());
        }
    }
    if !open.is_empty() {
        return Err(invalid());
    }
    root.ok_or_else(invalid)
}

/// Appends `text` as the content of an element: what must be escaped is, and nothing else.
pub fn escape_text(text: &[u8], out: &mut Vec<u8>) {
    for &byte in text {
        match byte {
            b'&' => out.extend_from_slice(b"&amp;"),
            b'<' => out.extend_from_slice(b"&lt;"),
            b'>' => out.extend_from_slice(b"&gt;"),
            _ => out.push(byte),
        }
    }
}

/// Appends `text` with the five special characters escaped, fit for an element or an attribute.
pub fn escape(text: &[u8], out: &mut Vec<u8>) {
    for &byte in text {
        match byte {
            b'&' => out.extend_from_slice(b"&amp;"),
            b'<' => out.extend_from_slice(b"&lt;"),
            b'>' => out.extend_from_slice(b"&gt;"),
            b'"' => out.extend_from_slice(b"&quot;"),
            b'\'' => out.extend_from_slice(b"&apos;"),
            _ => out.push(byte),
        }
    }
}

fn begin(start: &BytesStart<'_>, body: usize) -> Result<Element> {
    let local_name = start.local_name();
    let name: &str = local_name.as_ref();
    if name.is_empty() {
        return Err(invalid());
    }
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|_| invalid())?;
        // Each attribute is compared with those before it.
        if attributes.len() == ATTRIBUTES_MAX {
            return Err(invalid());
        }
        let key: &str = attribute.key.as_ref();
        let value = quick_xml::escape::unescape(&attribute.value).map_err(|_| invalid())?;
        attributes.push((key.to_owned(), value.into_owned()));
    }
    Ok(Element { name: name.to_owned(), attributes, body: body..body, ..Element::default() })
}

fn close(element: Element, open: &mut [Element], root: &mut Option<Element>) {
    match open.last_mut() {
        Some(parent) => parent.children.push(element),
        None => *root = Some(element),
    }
}

/// Outside the root only white space may stand (S3 sends some to keep a slow answer alive).
fn push_text(text: &str, open: &mut [Element]) -> Result<()> {
    match open.last_mut() {
        Some(element) => element.text.push_str(text),
        None if text.chars().all(|c| c.is_ascii_whitespace() || c == '\u{feff}') => {}
        None => return Err(invalid()),
    }
    Ok(())
}

fn predefined(name: &str) -> Result<char> {
    Ok(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => return Err(invalid()),
    })
}

fn offset(position: u64) -> Result<usize> {
    usize::try_from(position).map_err(|_| invalid())
}

fn invalid() -> Error {
    Code::INVALID_XML.into()
}

const ATTRIBUTES_MAX: usize = 64;
