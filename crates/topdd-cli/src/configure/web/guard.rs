//! Which requests are served: only requests of the page itself.
//!
//! Other pages of the browser can send requests to this machine, and names can be made to point to it. So a
//! request must contain the secret of the address, which other pages cannot read; its `Host` must be this
//! server, and its `Origin`, if any, its page. Responses forbid the page to load anything from elsewhere, and
//! others to embed it.

use hyper::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderName, ORIGIN,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use hyper::http::request::Parts;
use serde_json::Value;

use super::{Request, Response, secret};

/// Why a request is refused: the status, and a sentence.
pub(super) type Refusal = (u16, &'static str);

/// The most bytes of the body of a request.
pub(super) const MAX_BODY: u64 = 4 << 20;

/// The address of the server, and its secrets.
pub(in crate::configure) struct Guard {
    hosts: [String; 2],
    /// The path of the page: the secret between slashes.
    root: String,
    /// The word that marks the style and the script of the page.
    pub(super) nonce: String,
}

impl Guard {
    pub(super) fn new(port: u16, secret_word: &str) -> Self {
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        Guard { hosts, root: format!("/{secret_word}/"), nonce: secret() }
    }

    /// The address of the page.
    pub(super) fn address(&self) -> String {
        format!("http://{}{}", self.hosts[0], self.root)
    }

    /// The path behind the secret.
    pub(super) fn path<'a>(&self, request: &'a Request) -> &'a str {
        request.uri().path().get(self.root.len()..).unwrap_or("")
    }

    /// Checks a request, whose body may still arrive.
    pub(super) fn check(&self, request: &Parts) -> Result<(), Refusal> {
        let header =
            |name: HeaderName| request.headers.get(name).map(|value| value.to_str().unwrap_or(""));
        let is_host = |host: &str| self.hosts.iter().any(|own| own == host);
        let is_origin = |origin: &str| origin.strip_prefix("http://").is_some_and(is_host);
        if !header(HOST).is_some_and(is_host) || !header(ORIGIN).is_none_or(is_origin) {
            return Err((403, "this server answers its own page only"));
        }
        if !equal(request.uri.path().as_bytes(), self.root.as_bytes()) {
            return Err((403, "the address lacks the secret that topdd printed"));
        }
        Ok(())
    }

    /// An error, as a sentence.
    pub(super) fn refusal(&self, status: u16, message: &str) -> Response {
        self.response(status, "text/plain; charset=utf-8", message.to_owned())
    }

    pub(super) fn page(&self, html: &str) -> Response {
        self.response(200, "text/html; charset=utf-8", html.to_owned())
    }

    pub(super) fn json(&self, value: &Value) -> Response {
        self.response(200, "application/json", value.to_string())
    }

    fn response(&self, status: u16, kind: &str, body: String) -> Response {
        let nonce = &self.nonce;
        let policy = format!(
            "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        );
        let response = hyper::Response::builder()
            .status(status)
            .header(CONTENT_TYPE, kind)
            .header(CONTENT_SECURITY_POLICY, policy)
            .header(X_CONTENT_TYPE_OPTIONS, "nosniff")
            .header(REFERRER_POLICY, "no-referrer")
            .header(CACHE_CONTROL, "no-store");
        response.body(body).expect("the status and the headers are valid")
    }
}

/// Whether a path begins with the secret. The time does not tell where they differ.
fn equal(path: &[u8], root: &[u8]) -> bool {
    let differences = path.iter().zip(root).map(|(a, b)| a ^ b);
    path.len() >= root.len() && differences.fold(0, |all, one| all | one) == 0
}
