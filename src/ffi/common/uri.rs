//! `aws/common/uri.h`: a URI and its parts.

use crate::ctypes::{aws_allocator, aws_byte_buf, aws_byte_cursor};

/// A URI and cursors into its text. Made by `aws_uri_init_parse` or `aws_uri_init_from_builder_options`,
/// ended by `aws_uri_clean_up`.
#[repr(C)]
pub struct aws_uri {
    pub self_size: usize,
    pub allocator: *mut aws_allocator,
    /// The whole text.
    pub uri_str: aws_byte_buf,
    pub scheme: aws_byte_cursor,
    /// User, host and port.
    pub authority: aws_byte_cursor,
    pub userinfo: aws_byte_cursor,
    pub user: aws_byte_cursor,
    pub password: aws_byte_cursor,
    /// Without the brackets of an IPv6 address.
    pub host_name: aws_byte_cursor,
    /// 0 where the text has none.
    pub port: u32,
    pub path: aws_byte_cursor,
    pub query_string: aws_byte_cursor,
    pub path_and_query: aws_byte_cursor,
}
