//! The page of `topdd configure --web`: what it serves, and what it refuses.

use crate::support::{command, file, refused};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A running server. Dropping it ends the process.
struct Served {
    child: Child,
    host: String,
    /// The path of the page, with the secret.
    root: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    fn start(args: &str) -> Self {
        Self::run(command(args))
    }

    fn run(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the command starts");
        let mut address = String::new();
        let out = child.stdout.as_mut().expect("a pipe");
        BufReader::new(out).read_line(&mut address).expect("an address");
        let rest = address.trim_end().strip_prefix("http://").expect("an address");
        let (host, root) = rest.split_at(rest.find('/').expect("a path"));
        Served { child, host: host.to_owned(), root: root.to_owned() }
    }

    /// Sends these bytes, and returns the status and the whole response. The status is 0 if there is none.
    fn send(&self, bytes: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        // The server may answer, and close, before it has read all.
        let _ = stream.write_all(bytes.as_bytes());
        let mut response = String::new();
        let _ = stream.read_to_string(&mut response);
        let status = response.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        (status, response)
    }

    fn request(&self, start: &str, headers: &str, body: &str) -> (u16, String) {
        let length = body.len();
        self.send(&format!(
            "{start} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        ))
    }

    /// Asks for a state, as the page does.
    fn state(&self, body: &str) -> (u16, String) {
        let headers = format!("Host: {0}\r\nOrigin: http://{0}\r\n", self.host);
        self.request(&format!("POST {}state", self.root), &headers, body)
    }

    /// The body of the response to a request without a body.
    fn ask(&self, method: &str, path: &str) -> (u16, String) {
        let headers = format!("Host: {}\r\n", self.host);
        let (status, response) =
            self.request(&format!("{method} {}{path}", self.root), &headers, "");
        let body =
            response.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned());
        (status, body)
    }

    fn lives(&self) {
        let (status, response) = self.state(r#"{"decisions": ["choose a1"]}"#);
        assert_eq!(status, 200, "{response}");
        assert!(response.contains(r#""left":"4""#), "{response}");
    }
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let served = Served::start("configure queens 8 --web");
    let (status, page) =
        served.request(&format!("GET {}", served.root), &format!("Host: {}\r\n", served.host), "");
    assert_eq!(status, 200);
    let (head, html) = page.split_once("\r\n\r\n").expect("a head");
    for policy in
        ["default-src 'none'", "frame-ancestors 'none'", "no-referrer", "nosniff", "no-store"]
    {
        assert!(head.contains(policy), "{head}");
    }
    let nonce = head
        .split_once("script-src 'nonce-")
        .and_then(|(_, rest)| rest.get(..32))
        .expect("a nonce");
    assert_eq!(html.matches(&format!("nonce=\"{nonce}\"")).count(), 2);
    for outside in ["http:", "https:", "//cdn", "src=", "@import", "url(", "innerHTML", "style=\""]
    {
        assert!(!html.contains(outside), "{outside}");
    }
    served.lives();
}

#[test]
fn only_requests_of_the_page_are_served() {
    let served = Served::start("configure queens 8 --web");
    let Served { host, root, .. } = &served;
    let own = format!("Host: {host}\r\n");
    let state = r#"{"decisions": []}"#;
    let post = format!("POST {root}state");
    let cases = [
        ("POST /state".to_owned(), own.clone(), state, 403),
        ("POST /".to_owned(), own.clone(), state, 403),
        (format!("POST {}", &root[..root.len() - 1]), own.clone(), state, 403),
        (format!("POST /{}/state", "0".repeat(32)), own.clone(), state, 403),
        (post.clone(), String::new(), state, 403),
        (post.clone(), "Host: evil.example\r\n".to_owned(), state, 403),
        (post.clone(), format!("{own}Origin: http://evil.example\r\n"), state, 403),
        (post.clone(), format!("{own}Origin: null\r\n"), state, 403),
        (format!("GET {root}state"), own.clone(), "", 404),
        (format!("GET {root}../../etc/passwd"), own.clone(), "", 404),
        (format!("PUT {root}state"), own.clone(), state, 404),
        (post.clone(), own.clone(), "", 400),
        (post.clone(), own.clone(), "[]", 400),
        (post.clone(), own.clone(), r#"{"decisions": [1]}"#, 400),
        (post.clone(), own.clone(), r#"{"decisions": [], "more": 1}"#, 400),
        (post.clone(), own.clone(), r#"{"decisions": ["choose"]}"#, 400),
        (post.clone(), own.clone(), r#"{"decisions": ["choose z99"]}"#, 400),
        (post.clone(), own.clone(), r#"{"decisions": ["clear a1"]}"#, 400),
        (post.clone(), own.clone(), r#"{"decisions": [], "command": "sing"}"#, 400),
        (post.clone(), own.clone(), r#"{"decisions": [], "first": -1}"#, 400),
        (post.clone(), own.clone(), r#"{"decisions": ["choose a1", "choose a2"]}"#, 200),
        (post, format!("Host: localhost:{}\r\n", host.rsplit_once(':').unwrap().1), state, 200),
    ];
    for (start, headers, body, status) in cases {
        let (found, response) = served.request(&start, &headers, body);
        assert_eq!(found, status, "{start} {headers} {body}: {response}");
        let home = std::env::current_dir().unwrap().display().to_string();
        assert!(!response.contains(&home), "{response}");
    }
    served.lives();
}

#[test]
fn solutions_and_the_diagram_are_served_to_the_page_alone() {
    let served = Served::start("configure queens 8 --web");
    let own = format!("Host: {}\r\n", served.host);
    let (listed, asked) =
        (r#"{"decisions": [], "order": "listed", "from": "84"}"#, r#"{"decisions": []}"#);
    for (start, headers, body, status, word) in [
        (
            format!("POST {}solutions", served.root),
            &own,
            listed,
            200,
            r#""first":"85","last":"92""#,
        ),
        (format!("POST {}diagram", served.root), &own, asked, 200, r#""name":"row 8""#),
        ("POST /solutions".to_owned(), &own, listed, 403, ""),
        ("POST /diagram".to_owned(), &own, asked, 403, ""),
        (format!("POST {}solutions", served.root), &String::new(), listed, 403, ""),
        (format!("GET {}solutions", served.root), &own, "", 404, ""),
        (format!("POST {}solutions", served.root), &own, "{}", 400, "missing field"),
        (
            format!("POST {}diagram", served.root),
            &own,
            r#"{"decisions": [], "k": 5}"#,
            400,
            "unknown field",
        ),
    ] {
        let (found, response) = served.request(&start, headers, body);
        assert_eq!(found, status, "{start} {body}: {response}");
        assert!(response.contains(word), "{response}");
    }
    served.lives();
}

#[test]
fn attacks_do_not_end_the_server() {
    let served = Served::start("configure queens 8 --web");
    let of_many = |command: &str| {
        let decisions = vec![format!("\"{command}\""); 100_000].join(",");
        format!("{{\"decisions\": [{decisions}]}}")
    };
    assert_eq!(served.state(&of_many("choose a1")).0, 200);
    assert_eq!(served.state(&of_many("choose a1\",\"choose a2")).0, 200, "they conflict");
    let deep = format!("{{\"decisions\": {}", "[".repeat(1_000_000));
    assert_eq!(served.state(&deep).0, 400);
    let large = format!("{{\"decisions\": [\"{}\"]}}", "x".repeat(5 << 20));
    assert!([413, 0].contains(&served.state(&large).0), "refused, or cut off");
    for garbage in ["\r\n\r\n", "GET", "GET / HTTP/9.9\r\n\r\n", "\0\0\0\0", "POST \u{7f}"] {
        let stream = TcpStream::connect(&served.host);
        let _ = stream.and_then(|mut stream| stream.write_all(garbage.as_bytes()));
    }
    served.lives();
    // More than are answered at once: the others wait.
    thread::scope(|scope| {
        for _ in 0..40 {
            scope.spawn(|| served.lives());
        }
    });
    served.lives();
}

#[test]
fn slow_connections_do_not_keep_others_out() {
    let served = Served::start("configure queens 8 --web");
    let Served { host, root, .. } = &served;
    let head =
        format!("POST {root}state HTTP/1.1\r\nHost: {host}\r\nContent-Length: 100000\r\n\r\n{{");
    let starts = ["", "GET", &head[..60], &head];
    let mut slow: Vec<TcpStream> = (0..400)
        .map(|nth| {
            let mut stream = TcpStream::connect(host).expect("it listens");
            stream.write_all(starts[nth % 4].as_bytes()).expect("it reads");
            stream
        })
        .collect();
    let start = Instant::now();
    for _ in 0..5 {
        served.lives();
    }
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    // The oldest ones were closed for the sake of newer ones.
    slow[0].set_read_timeout(Some(Duration::from_secs(5))).expect("a timeout");
    assert!(matches!(slow[0].read(&mut [0]), Ok(0)));
    // A response that is not read.
    for _ in 0..80 {
        let mut stream = TcpStream::connect(host).expect("it listens");
        let _ = write!(stream, "GET {root} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        slow.push(stream);
    }
    served.lives();
}

#[test]
#[cfg(unix)]
fn a_server_that_may_open_few_files_lives() {
    let topdd = env!("CARGO_BIN_EXE_topdd");
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -n 40; exec {topdd} configure queens 8 --web")]);
    let served = Served::run(shell);
    let idle: Vec<_> = (0..100).map(|_| TcpStream::connect(&served.host)).collect();
    served.lives();
    drop(idle);
    served.lives();
}

#[test]
fn what_is_no_request_is_refused() {
    let served = Served::start("configure queens 8 --web");
    let Served { host, root, .. } = &served;
    let head = format!("POST {root}state HTTP/1.1\r\nHost: {host}\r\n");
    let long = format!("{head}X: {}\r\n\r\n", "x".repeat(1 << 20));
    assert!([431, 0].contains(&served.send(&long).0), "refused, or cut off");
    for (request, status) in [
        (format!("{head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 411),
        (format!("{head}Content-Length: -1\r\n\r\n"), 400),
        (format!("{head}Content-Length: 99999999999999999999\r\n\r\n"), 400),
        (format!("{head}Content-Length: 9999999\r\n\r\n"), 413),
        (format!("{head}Content-Length 3\r\n\r\nabc"), 400),
        (format!("{head}\r\n"), 400),
        ("\0\0\0\0\r\n\r\n".to_owned(), 400),
    ] {
        assert_eq!(served.send(&request).0, status, "{request}");
    }
    let mut stream = TcpStream::connect(host).expect("it listens");
    write!(stream, "{head}Content-Length: 100\r\n\r\n{{").expect("it reads");
    stream.shutdown(Shutdown::Write).expect("cut off");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("a response");
    assert!(response.starts_with("HTTP/1.1 408 "), "{response}");
    served.lives();
}

#[test]
fn a_graph_is_served_without_the_folder_of_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let map = folder.path().join("map.txt");
    std::fs::write(&map, "a b\nb c\nc a\nc d\n").expect("a file");
    for (family, is_coloured) in [("trees", false), ("cliques", false), ("colourings -k 3", true)] {
        let served = Served::start(&format!("configure graph {family} {} --web", map.display()));
        let (status, drawn) = served.ask("GET", "map");
        assert_eq!((status, drawn.contains("\"points\"")), (200, true), "{drawn}");
        assert!(drawn.contains(&format!("\"coloured\":{is_coloured}")), "{drawn}");
        let (_, state) = served.state(r#"{"decisions": []}"#);
        assert!(state.contains(" of map.txt, 4 vertices"), "{state}");
        assert_eq!(served.ask("GET", "build"), (200, "null".to_owned()));
    }
}

#[test]
#[cfg(unix)]
fn a_long_build_is_shown_and_can_be_stopped() {
    let mut served = Served::start("configure queens 17 --web");
    assert_eq!(served.ask("GET", "").0, 200);
    let mut reached = String::new();
    while !reached.contains("states in the last level") {
        reached = served.ask("GET", "build").1;
        assert!(reached.contains("\"reached\":"), "{reached}");
        thread::sleep(Duration::from_millis(20));
    }
    assert!(reached.contains(" of 17: ") && reached.contains("\"all\":34"), "{reached}");
    assert_eq!(served.state(r#"{"decisions": []}"#).0, 503);
    let (status, ended) = served.ask("POST", "stop");
    assert_eq!((status, ended.contains("The build was stopped")), (200, true), "{ended}");
    assert_eq!(served.child.wait().expect("it ends").code(), Some(130));
}

#[test]
#[cfg(target_os = "linux")]
fn a_build_that_fails_says_why_on_the_page() {
    let line =
        format!("ulimit -v 300000; exec {} configure queens 17 --web", env!("CARGO_BIN_EXE_topdd"));
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).stderr(Stdio::null());
    let mut served = Served::run(shell);
    let mut state = String::new();
    while !state.contains("\"ended\":") {
        state = served.ask("GET", "build").1;
        thread::sleep(Duration::from_millis(20));
    }
    assert!(
        state.contains("this takes more than") && state.contains("save the diagram first"),
        "{state}"
    );
    assert_eq!(served.child.wait().expect("it ends").code(), Some(1));
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_the_server_and_a_build() {
    for (args, code) in [("configure place kings 3 --web", 0), ("configure queens 17 --web", 130)] {
        let mut served = Served::start(args);
        let pid = served.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
        assert_eq!(served.child.wait().expect("it ends").code(), Some(code), "{args}");
    }
}

#[test]
fn a_page_is_no_script() {
    refused(2, "configure queens 8 --web --script", &["--script"]);
    refused(2, "configure queens 8 --open", &["--web"]);
    refused(3, "configure queens 3 --web", &["there are no solutions to decide on"]);
}

#[test]
fn the_map_has_roles_and_weights_that_differ() {
    let map = file("map.txt", "a b 5\nb c 2.5\nc a 1\nc d 4\n");
    let shown = |args: &str| {
        let served = Served::start(&format!("configure graph {args} --web"));
        let (status, map) = served.ask("GET", "map");
        assert_eq!(status, 200);
        serde_json::from_str::<serde_json::Value>(&map).expect("JSON")
    };
    let paths = shown(&format!("paths {map} --from d --to a"));
    assert_eq!(paths["roles"], serde_json::json!([[3, "start"], [0, "end"]]));
    let weights: Vec<&str> = paths["weights"]
        .as_array()
        .unwrap()
        .iter()
        .map(|weight| weight.as_str().unwrap())
        .collect();
    let names = paths["labels"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
    let mut weighed: Vec<_> = names.zip(weights).collect();
    weighed.sort_unstable();
    assert_eq!(weighed, [("a-b", "5"), ("b-c", "2.5"), ("c-a", "1"), ("c-d", "4")]);
    let trees = shown(&format!("steiner-trees {map} --terminals a,d"));
    assert_eq!(trees["roles"], serde_json::json!([[0, "terminal"], [3, "terminal"]]));
    // The weight of an edge that is left out has no place on a map.
    let own = file("own.txt", "a-b 0 3\na-b 1\nb-c 1\nc-a 1\nc-d 1\n");
    let trees = shown(&format!("spanning-trees {map} --weights {own}"));
    assert_eq!(
        (&trees["weights"], &trees["roles"]),
        (&serde_json::Value::Null, &serde_json::json!([]))
    );
}
