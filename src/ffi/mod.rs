//! The C surface. The only exports; nobody imports this room.

pub mod auth;
pub mod cal;
pub mod checksums;
pub mod common;
pub mod http;
pub mod io;
pub mod s3;
pub mod sdkutils;
