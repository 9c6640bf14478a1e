//! `aws/common/xml_parser.h`: types only; the library reads XML by itself.

use std::ffi::{c_int, c_void};

use crate::ctypes::aws_byte_cursor;

/// A node of a document that is being parsed.
#[repr(C)]
pub struct aws_xml_node {
    _private: [u8; 0],
}

/// An attribute of a node.
#[repr(C)]
pub struct aws_xml_attribute {
    pub name: aws_byte_cursor,
    pub value: aws_byte_cursor,
}

/// Called for a node; AWS_OP_ERR ends the parse.
pub type aws_xml_parser_on_node_encountered_fn =
    Option<unsafe extern "C" fn(node: *mut aws_xml_node, user_data: *mut c_void) -> c_int>;

/// How a document is parsed.
#[repr(C)]
pub struct aws_xml_parser_options {
    pub doc: aws_byte_cursor,
    /// How deep nodes may be nested; 0 = the default.
    pub max_depth: usize,
    pub on_root_encountered: aws_xml_parser_on_node_encountered_fn,
    pub user_data: *mut c_void,
}
