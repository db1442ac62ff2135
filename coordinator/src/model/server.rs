//! An endpoint of our own on a real loopback connection: does to each request what a test says, and keeps what it heard.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// What is done to a request.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// These bytes are sent, and the connection is closed.
    Send(Vec<u8>),
    /// These bytes are sent, and then nothing for good.
    Hang(Vec<u8>),
    /// The connection is reset.
    Reset,
}

/// A request as it came.
#[derive(Debug, Clone, Default)]
pub(crate) struct Came {
    /// The request line and the headers, in lower case.
    pub(crate) head: String,
    /// The body.
    pub(crate) body: serde_json::Value,
}

/// A server that ends with its owner.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) base_url: String,
    came: Arc<Mutex<Vec<Came>>>,
    _serving: JoinSet<()>,
}

/// An answer with this status, these headers and this body.
pub(crate) fn http(status: &str, headers: &[&str], body: &str) -> Act {
    let mut text = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n", body.len());
    for header in headers {
        text.push_str(header);
        text.push_str("\r\n");
    }
    Act::Send(format!("{text}connection: close\r\n\r\n{body}").into_bytes())
}

/// An answer of JSON.
pub(crate) fn json(status: &str, body: serde_json::Value) -> Act {
    http(status, &["content-type: application/json"], &body.to_string())
}

/// A chat completion that says this.
pub(crate) fn says(text: &str) -> Act {
    let message = serde_json::json!({ "role": "assistant", "content": text });
    json(
        "200 OK",
        serde_json::json!({
            "id": "c-1", "model": "served-model", "object": "chat.completion",
            "choices": [{ "index": 0, "finish_reason": "stop", "message": message }],
            "usage": { "prompt_tokens": 11, "completion_tokens": 4, "total_tokens": 15 },
        }),
    )
}

impl Server {
    /// Does these to the requests that come, in order; the last to all that come after.
    pub(crate) async fn start(acts: impl IntoIterator<Item = Act>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let base_url = format!("http://{}/v1", listener.local_addr().expect("address"));
        let came: Arc<Mutex<Vec<Came>>> = Arc::default();
        let (heard, mut acts) = (came.clone(), acts.into_iter().collect::<VecDeque<_>>());
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let act = if acts.len() > 1 { acts.pop_front() } else { acts.front().cloned() };
                connections.spawn(serve(stream, act.expect("an act"), heard.clone()));
            }
        });
        Server { base_url, came, _serving: serving }
    }

    /// The requests that came so far.
    pub(crate) fn came(&self) -> Vec<Came> {
        self.came.lock().expect("lock").clone()
    }
}

async fn serve(mut stream: TcpStream, act: Act, heard: Arc<Mutex<Vec<Came>>>) {
    let Some(came) = request(&mut stream).await else { return };
    heard.lock().expect("lock").push(came);
    match act {
        Act::Send(bytes) => {
            // Who asked may have gone.
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
        Act::Hang(bytes) => {
            let _ = stream.write_all(&bytes).await;
            std::future::pending::<()>().await;
        }
        Act::Reset => {
            let _ = stream.set_zero_linger();
        }
    }
}

/// A request with its body; none where the connection ended first.
async fn request(stream: &mut TcpStream) -> Option<Came> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok())?;
    while bytes.len() < end + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    Some(Came { head, body: serde_json::from_slice(&bytes[end..]).ok()? })
}
