//! Connecting the processes of a cluster, and comparing their versions and host files.

use crate::{ClusterError, Config};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::thread::sleep;
use std::time::{Duration, Instant};
use topdd::Portable;

/// The first bytes on a connection. All versions send the same bytes, and then a [`Hello`].
const MAGIC: &[u8; 16] = b"topdd cluster\0\0\x01";
/// The most bytes of a [`Hello`].
const MAX_HELLO: u32 = 1 << 20;
/// The wait between two tries to connect.
const RETRY: Duration = Duration::from_millis(20);
/// How long a process waits for a hello.
const HELLO_WAIT: Duration = Duration::from_secs(5);
/// How long a process that differs from another process still meets other processes, so that each of them
/// ends with the reason.
const GRACE: Duration = Duration::from_secs(3);

/// The facts that processes compare when they meet.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Hello {
    version: String,
    rank: usize,
    addresses: Vec<String>,
}

topdd::portable!(Hello { version, rank, addresses });

/// The processes that this process has met.
struct Meeting {
    /// The hello of this process.
    own: Hello,
    met: Vec<bool>,
    streams: Vec<Option<TcpStream>>,
    /// The refusal of the first process that differs.
    refusal: Option<ClusterError>,
}

impl Meeting {
    fn new(own: Hello) -> Self {
        let met = (0..own.addresses.len()).map(|rank| rank == own.rank).collect();
        let streams = own.addresses.iter().map(|_| None).collect();
        Meeting { own, met, streams, refusal: None }
    }

    fn add(&mut self, stream: TcpStream, other: &Hello) {
        let is_remote = other.rank < self.met.len() && other.rank != self.own.rank;
        if is_remote {
            self.met[other.rank] = true;
        }
        if is_remote && other.version == self.own.version && other.addresses == self.own.addresses {
            self.streams[other.rank] = Some(stream);
        } else {
            self.refusal.get_or_insert_with(|| refusal(&self.own, other));
        }
    }
}

/// Connects to all other processes. The entry of this process is `None`.
pub(crate) fn connect(config: &Config) -> Result<Vec<Option<TcpStream>>, ClusterError> {
    let addresses = &config.addresses;
    let mut meeting = Meeting::new(Hello {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        rank: config.rank,
        addresses: addresses.clone(),
    });
    if config.size() == 1 {
        return Ok(meeting.streams);
    }
    let address = &addresses[config.rank];
    let listener = TcpListener::bind(address)
        .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
        .map_err(|error| ClusterError::Bind { address: address.clone(), error })?;
    let mut deadline = Instant::now() + config.connect_wait;
    // By address: with another host file, the process at an address may have another rank.
    let mut reached = vec![false; config.rank];
    while meeting.met.contains(&false) {
        let mut news = Vec::new();
        if let Ok((stream, _)) = listener.accept() {
            // An invalid hello is not from a process of a cluster: it is ignored.
            news.extend(greet(stream, &meeting.own).ok());
        }
        for (address, reached) in addresses.iter().zip(&mut reached) {
            if !*reached {
                let greeted = dial(address).and_then(|stream| greet(stream, &meeting.own));
                *reached = greeted.is_ok();
                news.extend(greeted.ok());
            }
        }
        let any_news = !news.is_empty();
        for (stream, other) in news {
            meeting.add(stream, &other);
        }
        if meeting.refusal.is_some() {
            deadline = deadline.min(Instant::now() + GRACE);
        }
        if Instant::now() >= deadline {
            break;
        }
        if !any_news {
            sleep(RETRY);
        }
    }
    if let Some(refusal) = meeting.refusal {
        return Err(refusal);
    }
    match meeting.met.iter().position(|met| !met) {
        Some(rank) => Err(ClusterError::Absent {
            rank,
            address: addresses[rank].clone(),
            seconds: config.connect_wait.as_secs(),
        }),
        None => Ok(meeting.streams),
    }
}

/// The refusal of a process whose hello differs.
fn refusal(own: &Hello, other: &Hello) -> ClusterError {
    let rank = other.rank;
    let message = if other.version != own.version {
        format!("has version {} of topdd, and this one {}", other.version, own.version)
    } else if other.addresses != own.addresses {
        let (theirs, ours) = (other.addresses.join(", "), own.addresses.join(", "));
        format!("has the host file {theirs}, and this one {ours}")
    } else {
        "has the rank of this process".to_owned()
    };
    let address = own.addresses.get(rank).or(other.addresses.get(rank));
    let address = address.map_or_else(|| "unknown address".to_owned(), String::clone);
    ClusterError::Refused { rank, address, message }
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
