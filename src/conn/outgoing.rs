//! What is still to be written of a request.

use crate::base::{Result, SendStep};
use crate::sys::Socket;

/// Where body bytes come from at the moment they are written.
pub trait PartSource {
    /// Bytes left to be sent.
    fn left(&self) -> u64;
    /// One write: first `head`, then body bytes; `Sent` counts both.
    fn send(&mut self, socket: &Socket, head: &[u8]) -> Result<SendStep>;
    /// After `NotReady`: `wake` is called, on any thread, when `send` can go on.
    fn wait(&mut self, wake: Box<dyn FnOnce() + Send>);
}

/// A request: its head, then its body.
pub struct Outgoing {
    head: Vec<u8>,
    head_at: usize,
    body: Option<Box<dyn PartSource>>,
}

impl Outgoing {
    pub fn new(head: Vec<u8>, body: Option<Box<dyn PartSource>>) -> Outgoing {
        Outgoing { head, head_at: 0, body: body.filter(|b| b.left() > 0) }
    }

    pub fn is_done(&self) -> bool {
        self.head_at == self.head.len() && self.body.as_ref().is_none_or(|b| b.left() == 0)
    }

    /// One write.
    pub fn send(&mut self, socket: &Socket) -> Result<SendStep> {
        let head = &self.head[self.head_at..];
        let step = match &mut self.body {
            Some(body) => body.send(socket, head)?,
            None => match socket.send(head)? {
                Some(n) => SendStep::Sent(n as u64),
                None => SendStep::SocketFull,
            },
        };
        if let SendStep::Sent(n) = step {
            self.head_at += (head.len() as u64).min(n) as usize;
        }
        Ok(step)
    }

    pub fn wait(&mut self, wake: Box<dyn FnOnce() + Send>) {
        match &mut self.body {
            Some(body) => body.wait(wake),
            None => wake(),
        }
    }
}
