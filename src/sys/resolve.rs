//! Host names to addresses, by the system's resolver. Waits: never call it on a loop.

use std::ffi::CString;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6};
use std::ptr::null_mut;

use super::hooks::{self, Call};
use crate::base::{Code, Error, Result};

/// The addresses of a host, in the resolver's order, each once. Literal addresses (IPv6 with or
/// without brackets) need no resolver.
pub fn resolve(host: &str, port: u16) -> Result<Vec<SocketAddr>> {
    let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
    if let Ok(ip) = bare.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(ip, port)]);
    }
    let name = CString::new(bare).map_err(|_| Error::new(Code::IO_DNS_INVALID_NAME))?;
    hooks::check(Call::Resolve, "getaddrinfo", bare.as_ref(), 0).map_err(|f| dns(f.errno, 0))?;
    // SAFETY: plain old data; zero is a valid hint.
    let mut hints: libc::addrinfo = unsafe { std::mem::zeroed() };
    hints.ai_family = libc::AF_UNSPEC;
    hints.ai_socktype = libc::SOCK_STREAM;
    let mut list: *mut libc::addrinfo = null_mut();
    // SAFETY: `name` is terminated, `hints` and `list` live during the call.
    let r = unsafe { libc::getaddrinfo(name.as_ptr(), std::ptr::null(), &hints, &mut list) };
    if r != 0 {
        return Err(dns(r, super::call::errno()));
    }
    let mut addresses = Vec::new();
    let mut at = list;
    // SAFETY: `at` walks the list that getaddrinfo gave, until its end.
    while let Some(info) = unsafe { at.as_ref() } {
        // SAFETY: `ai_addr` is a socket address of `ai_family`.
        if let Some(address) = unsafe { address(info, port) }
            && !addresses.contains(&address)
        {
            addresses.push(address);
        }
        at = info.ai_next;
    }
    // SAFETY: the list came from getaddrinfo and is not used any more.
    unsafe { libc::freeaddrinfo(list) };
    match addresses.is_empty() {
        true => Err(Error::new(Code::IO_DNS_NO_ADDRESS_FOR_HOST)),
        false => Ok(addresses),
    }
}

/// # Safety
/// `info.ai_addr` is null or points to a socket address of `info.ai_family`.
unsafe fn address(info: &libc::addrinfo, port: u16) -> Option<SocketAddr> {
    if info.ai_addr.is_null() {
        return None;
    }
    match info.ai_family {
        libc::AF_INET => {
            // SAFETY: the family says what the pointer points to; it may be unaligned for us.
            let a = unsafe { info.ai_addr.cast::<libc::sockaddr_in>().read_unaligned() };
            let ip = Ipv4Addr::from(u32::from_be(a.sin_addr.s_addr));
            Some(SocketAddr::new(ip.into(), port))
        }
        libc::AF_INET6 => {
            // SAFETY: as above.
            let a = unsafe { info.ai_addr.cast::<libc::sockaddr_in6>().read_unaligned() };
            let ip = Ipv6Addr::from(a.sin6_addr.s6_addr);
            Some(SocketAddrV6::new(ip, port, a.sin6_flowinfo, a.sin6_scope_id).into())
        }
        _ => None,
    }
}

/// getaddrinfo's own numbers are negative; EAI_SYSTEM points to errno.
fn dns(result: i32, errno: i32) -> Error {
    let code = match result {
        libc::EAI_NONAME | libc::EAI_SERVICE => Code::IO_DNS_INVALID_NAME,
        libc::EAI_NODATA => Code::IO_DNS_NO_ADDRESS_FOR_HOST,
        libc::EAI_MEMORY => Code::OOM,
        _ => Code::IO_DNS_QUERY_FAILED,
    };
    Error::os(code, "getaddrinfo", if result == libc::EAI_SYSTEM { errno } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_addresses_need_no_resolver() {
        assert_eq!(resolve("127.0.0.1", 80).unwrap(), ["127.0.0.1:80".parse().unwrap()]);
        assert_eq!(resolve("[::1]", 443).unwrap(), ["[::1]:443".parse().unwrap()]);
    }

    #[test]
    fn localhost_resolves_to_the_loopback() {
        let all = resolve("localhost", 8080).unwrap();
        assert!(all.iter().all(|a| a.ip().is_loopback() && a.port() == 8080), "{all:?}");
    }

    #[test]
    fn bad_names_are_errors() {
        assert_eq!(resolve("a\0b", 1).unwrap_err().code, Code::IO_DNS_INVALID_NAME);
        assert_eq!(resolve("", 1).unwrap_err().call, "getaddrinfo");
    }
}
