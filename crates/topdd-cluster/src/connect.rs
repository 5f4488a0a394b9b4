//! Connecting the processes of a cluster, and comparing their versions and host files.

use crate::{ClusterError, Config};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::thread::sleep;
use std::time::{Duration, Instant};
use topdd::Portable;

/// The first bytes on a connection. All versions send these, and then a [`Hello`].
const MAGIC: &[u8; 16] = b"topdd cluster\0\0\x01";
/// The most bytes of a [`Hello`].
const MAX_HELLO: u32 = 1 << 20;
/// The wait between two tries to connect.
const RETRY: Duration = Duration::from_millis(20);
/// How long a process waits for a hello.
const HELLO_WAIT: Duration = Duration::from_secs(5);
/// How long a process that differs from another one still meets the others, so that each of them
/// finds out.
const GRACE: Duration = Duration::from_secs(3);

/// The facts that processes compare when they meet.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Hello {
    version: String,
    process: usize,
    addresses: Vec<String>,
}

topdd::portable!(Hello { version, process, addresses });

/// Connects to all other processes. The entry of this process is `None`.
pub(crate) fn connect(config: &Config) -> Result<Vec<Option<TcpStream>>, ClusterError> {
    let addresses = &config.addresses;
    let own = config.process;
    let mut streams: Vec<Option<TcpStream>> = addresses.iter().map(|_| None).collect();
    if addresses.len() == 1 {
        return Ok(streams);
    }
    let hello = Hello {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        process: own,
        addresses: addresses.clone(),
    };
    let bound = TcpListener::bind(&addresses[own]).and_then(|listener| {
        listener.set_nonblocking(true)?;
        Ok(listener)
    });
    let listener =
        bound.map_err(|error| ClusterError::Bind { address: addresses[own].clone(), error })?;
    let mut deadline = Instant::now() + config.connect_wait;
    let mut refusal: Option<ClusterError> = None;
    let mut met = vec![false; addresses.len()];
    met[own] = true;
    // Another host file may name another process at an address.
    let mut reached = vec![false; own];
    while met.contains(&false) {
        let mut news = Vec::new();
        if let Ok((stream, _)) = listener.accept() {
            // An invalid hello is not from a process of a cluster: it is ignored.
            news.extend(greet(stream, &hello).ok());
        }
        for (address, reached) in addresses.iter().zip(&mut reached).filter(|of| !*of.1) {
            let greeted = dial(address).and_then(|stream| greet(stream, &hello));
            *reached = greeted.is_ok();
            news.extend(greeted.ok());
        }
        let any_news = !news.is_empty();
        for (stream, other) in news {
            let peer = other.process;
            if peer >= met.len() || peer == own {
                refusal.get_or_insert_with(|| differ(&hello, &other, peer));
                deadline = deadline.min(Instant::now() + GRACE);
            } else {
                met[peer] = true;
                if other.version == hello.version && other.addresses == hello.addresses {
                    streams[peer] = Some(stream);
                } else {
                    refusal.get_or_insert_with(|| differ(&hello, &other, peer));
                    deadline = deadline.min(Instant::now() + GRACE);
                }
            }
        }
        if Instant::now() >= deadline {
            break;
        }
        if !any_news {
            sleep(RETRY);
        }
    }
    if let Some(refusal) = refusal {
        return Err(refusal);
    }
    match met.iter().position(|met| !met) {
        Some(process) => Err(ClusterError::Absent {
            process,
            address: addresses[process].clone(),
            seconds: config.connect_wait.as_secs(),
        }),
        None => Ok(streams),
    }
}

/// The refusal of a process whose hello differs.
fn differ(own: &Hello, other: &Hello, process: usize) -> ClusterError {
    let what = if other.version != own.version {
        format!("has version {} of topdd, and this one {}", other.version, own.version)
    } else if other.addresses != own.addresses {
        let (theirs, ours) = (other.addresses.join(", "), own.addresses.join(", "));
        format!("has the host file {theirs}, and this one {ours}")
    } else {
        "has the index of this one".to_owned()
    };
    let address = own.addresses.get(process).or(other.addresses.get(process));
    let address = address.map_or_else(|| "unknown address".to_owned(), String::clone);
    ClusterError::Refused { process, address, message: what }
}

fn dial(address: &str) -> io::Result<TcpStream> {
    let mut last = io::Error::from(ErrorKind::AddrNotAvailable);
    for resolved in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&resolved, Duration::from_secs(1)) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Exchanges hellos.
fn greet(mut stream: TcpStream, own: &Hello) -> io::Result<(TcpStream, Hello)> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(HELLO_WAIT))?;
    stream.set_write_timeout(Some(HELLO_WAIT))?;
    let mut content = Vec::new();
    own.write(&mut content);
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&(content.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&content);
    stream.write_all(&bytes)?;
    let mut head = [0; 20];
    stream.read_exact(&mut head)?;
    let (magic, length) = head.split_at(MAGIC.len());
    let length = u32::from_le_bytes(length.try_into().expect("four bytes"));
    if magic != MAGIC || length > MAX_HELLO {
        return Err(ErrorKind::InvalidData.into());
    }
    let mut content = vec![0; length as usize];
    stream.read_exact(&mut content)?;
    let hello = Hello::read(&mut &content[..]).ok_or(ErrorKind::InvalidData)?;
    Ok((stream, hello))
}
