//! The cache behind a host resolver as the engine's resolver.

use std::net::SocketAddr;
use std::sync::Arc;

use crate::base::Done;
use crate::client::Resolver;
use crate::ffi::io::host_resolver::HostCache;

/// Looks names up in the cache of the bootstrap's resolver.
pub(crate) struct CacheResolver(pub Arc<HostCache>);

impl Resolver for CacheResolver {
    fn resolve(&self, host: &str, port: u16, done: Done<Vec<SocketAddr>>) {
        self.0.resolve(host, port, done);
    }
}
