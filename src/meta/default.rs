//! One request passed through: the answer's head and body go to the caller as they come.

use std::collections::VecDeque;

use super::machine::{Action, Budget, Event, Machine, Op, Piece, RequestId, Send};
use crate::base::{Code, Error, Result};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// A body is to be read into memory first.
    Read,
    Reading,
    Send,
    InFlight,
    /// The request has ended; what is queued is still delivered.
    Ending,
    Finished,
}

/// Also the machine of a single GET whose range is passed through (`partNumber`, many ranges).
pub struct Default<P> {
    state: State,
    op: Op,
    body_len: u64,
    head: bool,
    window: Option<u64>,
    queue: VecDeque<P>,
    offset: u64,
    canceling: bool,
    result: Result<()>,
}

const ID: RequestId = RequestId(0);

impl<P: Piece> Default<P> {
    /// `body_len`: bytes of a sequential source to be read first; `None` without one.
    /// `window`: bytes that may be delivered; `None` = any number.
    pub fn new(op: Op, body_len: Option<u64>, window: Option<u64>) -> Default<P> {
        Default {
            state: if body_len.is_some() { State::Read } else { State::Send },
            op,
            body_len: body_len.unwrap_or(0),
            head: false,
            window,
            queue: VecDeque::new(),
            offset: 0,
            canceling: false,
            result: Ok(()),
        }
    }

    fn fail(&mut self, error: Error) {
        if self.result.is_ok() {
            self.result = Err(error);
        }
        self.queue.clear();
        match self.state {
            State::Read | State::Send => self.state = State::Ending,
            // What runs comes back first: the caller's stream is in use.
            State::Reading | State::InFlight => self.canceling = true,
            State::Ending | State::Finished => {}
        }
    }
}

impl<P: Piece> Machine<P> for Default<P> {
    fn on_event(&mut self, event: Event<P>) {
        match event {
            Event::Head { head, .. } if self.result.is_ok() => {
                self.head = true;
                if let Some(r) = head.content_range {
                    self.offset = r.range.start;
                }
            }
            Event::Bytes { piece, .. } if self.result.is_ok() => self.queue.push_back(piece),
            Event::Done { .. } if self.state == State::InFlight => self.state = State::Ending,
            Event::Failed { error, .. } if self.state == State::InFlight => {
                self.state = State::Ending;
                self.fail(error);
            }
            Event::WindowGrew(n) => {
                self.window = self.window.map(|w| w.saturating_add(n));
            }
            Event::PartRead { len, .. } if self.state == State::Reading => {
                self.state = match self.result.is_ok() {
                    true => State::Send,
                    false => State::Ending,
                };
                if len != self.body_len {
                    self.fail(Error::new(Code::S3_INCORRECT_CONTENT_LENGTH));
                }
            }
            Event::ReadFailed(e) => {
                if self.state == State::Reading {
                    self.state = State::Ending;
                }
                self.fail(e);
            }
            Event::Cancel(e) => self.fail(e),
            Event::Head { .. }
            | Event::Bytes { .. }
            | Event::Done { .. }
            | Event::Failed { .. }
            | Event::PartRead { .. } => {}
        }
    }

    fn next_action(&mut self, budget: &mut Budget) -> Option<Action<P>> {
        if self.canceling {
            self.canceling = false;
            return Some(Action::CancelRequests);
        }
        if self.head && self.result.is_ok() {
            self.head = false;
            return Some(Action::DeliverHead { id: ID });
        }
        if let Some(front) = self.queue.front_mut() {
            let len = front.len().min(self.window.unwrap_or(u64::MAX));
            if len > 0 {
                let piece = front.split_front(len);
                if front.len() == 0 {
                    self.queue.pop_front();
                }
                self.window = self.window.map(|w| w - len);
                let offset = self.offset;
                self.offset += len;
                return Some(Action::Deliver { offset, piece });
            }
        }
        match self.state {
            State::Read if budget.reads > 0 => {
                budget.reads -= 1;
                self.state = State::Reading;
                Some(Action::Read { part: 0, len_max: self.body_len })
            }
            State::Send if budget.sends > 0 => {
                budget.sends -= 1;
                self.state = State::InFlight;
                Some(Action::Send(Send { id: ID, op: self.op.clone() }))
            }
            State::Ending if self.queue.is_empty() => {
                self.state = State::Finished;
                Some(Action::Finish(self.result))
            }
            _ => None,
        }
    }

    fn wants_send(&self) -> bool {
        self.state == State::Send
    }

    fn next_bytes(&self) -> u64 {
        self.body_len
    }

    fn is_finished(&self) -> bool {
        self.state == State::Finished
    }
}

impl<P> Default<P> {
    /// Bytes are there, but the caller's window is used up.
    pub fn is_held_back(&self) -> bool {
        self.window == Some(0)
    }
}
