//! before
/** Tag of the channel message that carries a negotiated protocol. */
#define AWS_TLS_NEGOTIATED_PROTOCOL_MESSAGE 0x01
