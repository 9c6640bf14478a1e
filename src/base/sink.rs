//! How body bytes leave a connection: the connection asks for room, receives straight into it and
//! reports what came.

/// What a sink offers for the next bytes.
pub enum SinkWindow<'a> {
    /// Receive into this slice (never empty).
    Room(&'a mut [u8]),
    /// No room now; whoever makes room wakes the connection.
    Full,
}

/// What one write to a socket came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SendStep {
    Sent(u64),
    /// The socket takes no more now.
    SocketFull,
    /// The source has no bytes at hand (they are being read).
    NotReady,
}
