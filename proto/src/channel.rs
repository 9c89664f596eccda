//! How connections are opened on both sides: with keep-alive, deadlines and no delay for small messages.

use crate::limits;
use tonic::transport::{Endpoint, Error, Server};

/// The coordinator at `address`: `HOST:PORT`, or a URL with `http://`. Nothing is connected yet:
/// use `connect_lazy()` where the coordinator may be away for a while, `connect()` where that is an error.
pub fn endpoint(address: &str) -> Result<Endpoint, Error> {
    let url =
        if address.contains("://") { address.to_owned() } else { format!("http://{address}") };
    Ok(Endpoint::from_shared(url)?
        .connect_timeout(limits::CONNECT_TIMEOUT)
        .tcp_nodelay(true)
        .http2_keep_alive_interval(limits::KEEPALIVE_INTERVAL)
        .keep_alive_timeout(limits::KEEPALIVE_TIMEOUT)
        .keep_alive_while_idle(true))
}

/// A server with the same settings.
pub fn server() -> Server {
    Server::builder()
        .tcp_nodelay(true)
        .http2_keepalive_interval(Some(limits::KEEPALIVE_INTERVAL))
        .http2_keepalive_timeout(Some(limits::KEEPALIVE_TIMEOUT))
}
