//! Which requests are answered: only requests of the page itself.
//!
//! Other pages of the browser can send requests to this machine, and names can be made to point to it. So a
//! request must contain the secret of the address, which other pages cannot read; its `Host` must be this
//! server, and its `Origin`, if any, its page. Responses forbid the page to load anything from elsewhere, and
//! others to embed it.

use rand::RngExt;

/// Why a request is refused: the status, and a sentence.
pub type Refusal = (u16, &'static str);

/// The most bytes of the body of a request.
pub const MAX_BODY: u64 = 4 << 20;

/// The address of a server on the loopback interface, and its secrets.
#[derive(Debug)]
pub struct Guard {
    hosts: [String; 2],
    /// The path of the page: the secret between slashes.
    root: String,
    nonce: String,
}

impl Guard {
    /// Makes the guard of a server on this port, with a random secret.
    pub fn new(port: u16) -> Self {
        Self::with_secret(port, &secret())
    }

    /// Makes the guard of a server with a given secret.
    pub fn with_secret(port: u16, secret_word: &str) -> Self {
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        Guard { hosts, root: format!("/{secret_word}/"), nonce: secret() }
    }

    /// Returns the address of the page.
    pub fn address(&self) -> String {
        format!("http://{}{}", self.hosts[0], self.root)
    }

    /// Returns the word that marks the style and the script of the page.
    pub fn nonce(&self) -> &str {
        &self.nonce
    }

    /// Returns the part behind the secret of a path that was checked.
    pub fn rest<'a>(&self, path: &'a str) -> &'a str {
        path.get(self.root.len()..).unwrap_or("")
    }

    /// Checks a request, by its path and its headers `Host` and `Origin`.
    ///
    /// # Errors
    ///
    /// The reason why it is not answered.
    pub fn check(
        &self,
        path: &str,
        host: Option<&str>,
        origin: Option<&str>,
    ) -> Result<(), Refusal> {
        let is_host = |host: &str| self.hosts.iter().any(|own| own == host);
        let is_origin = |origin: &str| origin.strip_prefix("http://").is_some_and(is_host);
        if !host.is_some_and(is_host) || !origin.is_none_or(is_origin) {
            return Err((403, "this server answers its own page only"));
        }
        if !equal(path.as_bytes(), self.root.as_bytes()) {
            return Err((403, "the address lacks the secret that topdd printed"));
        }
        Ok(())
    }

    /// Returns the headers of a response whose content is of this type.
    pub fn headers(&self, kind: &str) -> [(&'static str, String); 5] {
        let nonce = &self.nonce;
        let policy = format!(
            "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        );
        [
            ("content-type", kind.to_owned()),
            ("content-security-policy", policy),
            ("x-content-type-options", "nosniff".to_owned()),
            ("referrer-policy", "no-referrer".to_owned()),
            ("cache-control", "no-store".to_owned()),
        ]
    }
}

/// A random word that nobody can guess.
fn secret() -> String {
    format!("{:032x}", rand::rng().random::<u128>())
}

/// Whether a path begins with the secret. The time does not tell where they differ.
fn equal(path: &[u8], root: &[u8]) -> bool {
    let differences = path.iter().zip(root).map(|(a, b)| a ^ b);
    path.len() >= root.len() && differences.fold(0, |all, one| all | one) == 0
}
