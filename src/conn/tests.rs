use std::cell::RefCell;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::rc::{Rc, Weak};
use std::sync::mpsc::{Receiver, Sender, channel};

use super::*;
use crate::base::{Code, Duration, Result, SinkWindow};
use crate::http1::{RequestKind, ResponseHead};
use crate::reactor::{Group, GroupOptions, Loop};

thread_local! {
    static OWNER: RefCell<Option<Rc<Opener>>> = const { RefCell::new(None) };
    static OPEN: RefCell<Option<Rc<Connection>>> = const { RefCell::new(None) };
}

/// What the exchange on the loop tells the test.
#[derive(Debug, PartialEq)]
enum Told {
    Full,
    Ended(std::result::Result<Vec<u8>, Code>),
}

struct Opener {
    request: Vec<u8>,
    told: Sender<Told>,
    /// Times that the sink has no room before it has some.
    full: u32,
}

struct Sink {
    told: Sender<Told>,
    full: u32,
    room: Vec<u8>,
    got: Vec<u8>,
}

impl Owner for Opener {
    fn on_open(&self, lp: &Loop, connection: &Rc<Connection>, result: Result<()>) {
        result.unwrap();
        OPEN.set(Some(connection.clone()));
        let sink = Sink {
            told: self.told.clone(),
            full: self.full,
            room: vec![0; 64 << 10],
            got: Vec::new(),
        };
        let out = Outgoing::new(self.request.clone(), None);
        connection.start(lp, RequestKind { is_head: false }, out, Box::new(sink));
    }
    fn on_idle_close(&self, _lp: &Loop, _connection: &Rc<Connection>) {}
}

impl Exchange for Sink {
    fn on_head(&mut self, _lp: &Loop, _head: ResponseHead) -> Result<()> {
        Ok(())
    }
    fn window(&mut self, _lp: &Loop, _want: usize) -> Result<SinkWindow<'_>> {
        if self.full > 0 {
            self.full -= 1;
            self.told.send(Told::Full).unwrap();
            return Ok(SinkWindow::Full);
        }
        Ok(SinkWindow::Room(&mut self.room))
    }
    fn commit(&mut self, _lp: &Loop, len: usize) -> Result<()> {
        self.got.extend_from_slice(&self.room[..len]);
        Ok(())
    }
    fn on_end(self: Box<Self>, _lp: &Loop, _connection: &Rc<Connection>, end: Result<End>) {
        let Sink { told, got, .. } = *self;
        let end = end.map(|_| got).map_err(|e| e.code);
        told.send(Told::Ended(end)).unwrap();
    }
}

fn open(group: &Group, address: SocketAddr, request: Vec<u8>, full: u32) -> Receiver<Told> {
    let (told, seen) = channel();
    assert!(group.loops()[0].post(move |lp| {
        let owner = Rc::new(Opener { request, told, full });
        OWNER.set(Some(owner.clone()));
        let owner: Rc<dyn Owner> = owner;
        let weak: Weak<dyn Owner> = Rc::downgrade(&owner);
        let connect_timeout = Duration::from_secs(3);
        let options = ConnectionOptions { address, connect_timeout, keepalive: None };
        Connection::open(lp, 1, &options, weak).unwrap();
    }));
    seen
}

fn group() -> Group {
    let name = "conn".to_owned();
    Group::new(GroupOptions { loops: 1, name, ..GroupOptions::default() }).unwrap()
}

const PATIENCE: Duration = Duration::from_secs(10);

#[test]
fn body_that_came_with_the_head_is_taken_when_the_sink_has_room_again() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (finish, finished) = channel::<()>();
    let server = std::thread::spawn(move || {
        let (mut peer, _) = listener.accept().unwrap();
        let mut request = [0; 64];
        assert!(peer.read(&mut request).unwrap() > 0);
        // Head and body in one piece: nothing follows that could bring another edge.
        peer.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbytes").unwrap();
        let _ = finished.recv();
    });
    let group = group();
    let seen = open(&group, address, b"GET / HTTP/1.1\r\n\r\n".to_vec(), 2);
    for _ in 0..2 {
        assert_eq!(seen.recv_timeout(PATIENCE).unwrap(), Told::Full);
        assert!(group.loops()[0].post(|lp| {
            let connection = OPEN.with_borrow(Clone::clone).unwrap();
            connection.resume(lp);
        }));
    }
    assert_eq!(seen.recv_timeout(PATIENCE).unwrap(), Told::Ended(Ok(b"bytes".to_vec())));
    finish.send(()).unwrap();
    server.join().unwrap();
    group.shut_down();
}

#[test]
fn success_before_the_request_is_written_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let (mut peer, _) = listener.accept().unwrap();
        // Nothing is read: the rest of the request cannot be written.
        peer.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n").unwrap();
        drop(peer.shutdown(std::net::Shutdown::Write));
        std::thread::sleep(Duration::from_millis(300));
    });
    let group = group();
    let seen = open(&group, address, vec![b'x'; 64 << 20], 0);
    match seen.recv_timeout(PATIENCE).unwrap() {
        Told::Ended(Err(code)) => assert_ne!(code, Code::S3_CANCELED),
        other => panic!("{other:?}"),
    }
    server.join().unwrap();
    group.shut_down();
}
