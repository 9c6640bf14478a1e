//! Names to addresses off the loop, remembered for a short time.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use crate::base::sync::Mutex;

use super::options::Resolver;
use crate::base::{Done, Duration, Instant};
use crate::delivery::{Pool, Work};
use crate::sys;

/// The reference's default for how long an address is used before it is asked for again.
const TTL: Duration = Duration::from_secs(30);

type Known = Mutex<HashMap<(String, u16), (Instant, Vec<SocketAddr>)>>;

/// getaddrinfo on the reader pool.
pub(super) struct SystemResolver {
    pool: Pool,
    known: Arc<Known>,
}

impl SystemResolver {
    pub(super) fn new(pool: Pool) -> SystemResolver {
        SystemResolver { pool, known: Arc::default() }
    }
}

impl Resolver for SystemResolver {
    fn resolve(&self, host: &str, port: u16, done: Done<Vec<SocketAddr>>) {
        if let Ok(ip) = host.parse::<IpAddr>() {
            return done(Ok(vec![SocketAddr::new(ip, port)]));
        }
        let key = (host.to_owned(), port);
        let known = self.known.lock().get(&key).cloned();
        if let Some((at, addresses)) = known
            && sys::clock::now().since(at) < TTL
        {
            return done(Ok(addresses));
        }
        self.pool.spawn(Box::new(Query { key, known: self.known.clone(), done: Some(done) }));
    }
}

struct Query {
    key: (String, u16),
    known: Arc<Known>,
    done: Option<Done<Vec<SocketAddr>>>,
}

impl Work for Query {
    fn run(&mut self) {
        let found = sys::resolve(&self.key.0, self.key.1);
        if let Ok(addresses) = &found {
            let entry = (sys::clock::now(), addresses.clone());
            self.known.lock().insert(self.key.clone(), entry);
        }
        if let Some(done) = self.done.take() {
            done(found);
        }
    }
}
