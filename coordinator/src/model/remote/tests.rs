use super::*;
use crate::model::server::{Act, Server, http, json, says};
use crate::model::wire::Timeouts;
use crate::model::{Binding, Remote};
use crate::window::Speaker;
use gg_common::event::Usage;
use gg_common::model::ModelKind;
use gg_common::reply::{FinishReason, as_program};
use serde_json::{Value, json as value};

const KEY: &str = "sk-live-0123456789";

fn table(server: &Server) -> ModelBinding {
    ModelBinding {
        base_url: Some(server.base_url.clone()),
        model: Some("m".to_owned()),
        api_key_env: Some("THE_KEY".to_owned()),
        ..ModelBinding::of(ModelKind::Openai)
    }
}

/// The binding's model, which does not dawdle.
fn remote(table: ModelBinding) -> Remote {
    match Binding::open(table, "model.replies", |_| Some(KEY.to_owned())) {
        Ok(Binding::Remote(mut remote)) => {
            remote.policy.first = Duration::from_millis(1);
            *remote
        }
        other => panic!("{other:?}"),
    }
}

/// The same with other time-outs, in milliseconds.
fn hurried(server: &Server, connect: u64, first_byte: u64, total: u64) -> Remote {
    let mut hurried = remote(ModelBinding { retries: Some(0), ..table(server) });
    let ms = Duration::from_millis;
    let timeouts = Timeouts { connect: ms(connect), first_byte: ms(first_byte), total: ms(total) };
    let headers = hurried.protocol.headers(None);
    hurried.wire = Wire::new(hurried.wire.url().clone(), headers, timeouts).expect("wire");
    hurried
}

async fn ask(remote: &Remote) -> Result<ModelReply, ModelError> {
    let message = Message { speaker: Speaker::User, text: "Do it.".into(), tokens: 3 };
    let reply = remote.reply(Request { turn: 1, messages: &[message] }).await;
    reply.map(|reply| reply.expect("an endpoint's replies do not end"))
}

/// What is said where a request fails so, asked once more where that may help.
async fn failing(act: Act) -> (ModelFailure, String, usize) {
    let server = Server::start([act]).await;
    let error = ask(&remote(ModelBinding { retries: Some(1), ..table(&server) })).await.expect_err("no answer");
    let said = error.to_string();
    assert!(said.starts_with(&format!("the model did not answer: {}/chat/completions", server.base_url)), "{said}");
    (error.failure, said, server.came().len())
}

#[tokio::test]
async fn a_reply_comes_verbatim_with_all_that_is_recorded_of_it() {
    let server = Server::start([json(
        "200 OK",
        value!({
            "id": "c-9", "model": "m-2026-01", "system_fingerprint": "fp-1",
            "choices": [{ "finish_reason": "stop", "message": { "content": "```python\r\nprint('é')\n```\n" } }],
            "usage": { "prompt_tokens": 100, "completion_tokens": 40,
                "prompt_tokens_details": { "cached_tokens": 64 }, "completion_tokens_details": { "reasoning_tokens": 30 } },
        }),
    )])
    .await;
    let binding = ModelBinding {
        temperature: Some(0.5),
        seed: Some(42),
        extra: [("reasoning_effort".to_owned(), value!("low")), ("logit_bias".to_owned(), value!({ "7": -1 }))].into(),
        ..table(&server)
    };
    let reply = ask(&remote(binding.clone())).await.expect("a reply");
    assert_eq!(reply.bytes, "```python\r\nprint('é')\n```\n".as_bytes());
    assert_eq!(reply.finish_reason, FinishReason::Stop);
    let usage = Usage { input_tokens: 100, output_tokens: 40, cached_tokens: Some(64), reasoning_tokens: Some(30) };
    assert_eq!(reply.usage, usage);
    let call = reply.call.expect("a call");
    assert_eq!((call.model.as_deref(), call.id.as_deref()), (Some("m-2026-01"), Some("c-9")));
    assert_eq!((call.system_fingerprint.as_deref(), call.finish_reason.as_deref()), (Some("fp-1"), Some("stop")));
    assert_eq!((call.seed, call.retries.len()), (Some(42), 0));
    assert!(call.latency_ms >= call.first_byte_ms && call.first_byte_ms > 0.0);

    let came = &server.came()[0];
    assert!(came.head.starts_with("post /v1/chat/completions http/1.1\r\n"), "{}", came.head);
    assert!(came.head.contains(&format!("authorization: bearer {KEY}\r\n")), "{}", came.head);
    let wanted = value!({
        "model": "m", "messages": [{ "role": "user", "content": "Do it." }], "temperature": 0.5, "seed": 42,
        "reasoning_effort": "low", "logit_bias": { "7": -1 },
    });
    assert_eq!(came.body, wanted);
}

#[tokio::test]
async fn the_other_protocol_goes_the_same_way() {
    let server = Server::start([json(
        "200 OK",
        value!({ "content": [{ "type": "text", "text": "x = 1" }], "stop_reason": "end_turn", "usage": { "input_tokens": 5, "output_tokens": 3 } }),
    )])
    .await;
    let binding = ModelBinding { kind: ModelKind::Anthropic, max_tokens: Some(99), ..table(&server) };
    let reply = ask(&remote(binding)).await.expect("a reply");
    assert_eq!((reply.bytes.as_slice(), reply.usage.output_tokens), (&b"x = 1"[..], 3));
    let came = &server.came()[0];
    assert!(came.head.starts_with("post /v1/messages ") && came.head.contains(&format!("x-api-key: {KEY}\r\n")));
    assert!(!came.head.contains("authorization"), "{}", came.head);
    assert_eq!(came.body["max_tokens"], 99);
}

#[tokio::test]
async fn what_is_no_whole_program_is_recorded_as_what_it_is_and_never_runs() {
    let message = |content: Value| value!({ "content": content });
    for (answer, finish, rejected) in [
        (
            value!({ "choices": [{ "finish_reason": "length", "message": message(value!("print(")) }] }),
            FinishReason::Length,
            "reply_truncated",
        ),
        (
            value!({ "choices": [{ "finish_reason": "content_filter", "message": message(value!("print(1)")) }] }),
            FinishReason::ContentFilter,
            "reply_filtered",
        ),
        (
            value!({ "choices": [{ "finish_reason": "stop", "message": { "content": null, "refusal": "I cannot." } }] }),
            FinishReason::Refusal,
            "reply_refused",
        ),
        (value!({ "choices": [] }), FinishReason::NoChoice, "reply_missing"),
        (
            value!({ "choices": [{ "finish_reason": "stop", "message": message(Value::Null) }] }),
            FinishReason::Stop,
            "reply_empty",
        ),
    ] {
        let server = Server::start([json("200 OK", answer)]).await;
        let reply = ask(&remote(table(&server))).await.expect("a reply");
        assert_eq!(reply.finish_reason, finish);
        let outcome = as_program(&reply.bytes, reply.finish_reason, 1_000).expect_err("it does not run");
        assert_eq!(outcome.error_type().as_deref(), Some(rejected));
        let refusal = reply.call.expect("a call").refusal;
        assert_eq!(refusal.as_deref(), (finish == FinishReason::Refusal).then_some("I cannot."));
        assert_eq!(server.came().len(), 1, "what was answered is not asked again");
    }
}

#[tokio::test]
async fn a_rate_limit_and_an_outage_pass_and_are_recorded_apart() {
    let limited = http(
        "429 Too Many Requests",
        &["content-type: application/json", "retry-after-ms: 40"],
        r#"{"error": {"message": "slow down", "code": "rate_limit_exceeded"}}"#,
    );
    let down = http("500 Internal Server Error", &["content-type: text/html"], "<h1>oh  no</h1>");
    let server = Server::start([limited, down, Act::Reset, says("ok")]).await;
    let reply = ask(&remote(table(&server))).await.expect("a reply");
    assert_eq!((reply.bytes.as_slice(), server.came().len()), (&b"ok"[..], 4));
    let retries = reply.call.expect("a call").retries;
    let told: Vec<_> = retries.iter().map(|retry| (retry.failure, retry.status)).collect();
    let outage = ModelFailure::Outage;
    assert_eq!(told, [(ModelFailure::RateLimited, Some(429)), (outage, Some(500)), (outage, None)]);
    assert_eq!(retries[0].message, "it answered 429 Too Many Requests: slow down (rate_limit_exceeded)");
    assert_eq!(retries[1].message, "it answered 500 Internal Server Error: <h1>oh no</h1>");
    assert!(retries[2].message.contains("the connection broke"), "{retries:?}");
    assert!(retries[0].waited_ms >= 40.0, "no sooner than it asked: {retries:?}");
    assert!(retries[1].waited_ms < 40.0 && retries[2].waited_ms < 40.0, "{retries:?}");
    assert!(server.came().windows(2).all(|two| two[0].body == two[1].body), "the same is asked again");
}

#[tokio::test]
async fn a_model_that_stays_limited_or_down_ends_with_what_to_do() {
    let (failure, said, asked) = failing(http("429 Too Many Requests", &["retry-after: 0"], "")).await;
    assert_eq!((failure, asked), (ModelFailure::RateLimited, 2));
    assert!(said.contains("asked 2 times: it answered 429 Too Many Requests: without a word"), "{said}");
    assert!(said.contains("`requestsPerMinute`"), "{said}");
    let (failure, said, asked) = failing(http("503 Service Unavailable", &[], "busy")).await;
    assert_eq!((failure, asked), (ModelFailure::Outage, 2));
    assert!(said.contains("503 Service Unavailable: busy") && said.contains("run again"), "{said}");
    let (failure, said, asked) = failing(http("429 Too Many Requests", &["retry-after: 4000"], "")).await;
    assert_eq!((failure, asked), (ModelFailure::RateLimited, 1));
    assert!(said.contains("asks to wait 4000 s, longer than `maxRetryWaitSecs` (120 s)"), "{said}");
}

#[tokio::test]
async fn what_will_not_pass_is_asked_once() {
    let error = |code: &str| value!({ "error": { "message": "no", "type": "x", "code": code } });
    for (act, kind, part) in [
        (json("429 Too Many Requests", error("insufficient_quota")), ModelFailure::QuotaExhausted, "quota"),
        (json("401 Unauthorized", error("invalid_api_key")), ModelFailure::Unauthorized, "the right key"),
        (json("400 Bad Request", error("context_length_exceeded")), ModelFailure::Rejected, "no (context_length"),
        (json("404 Not Found", value!({ "detail": "Not Found" })), ModelFailure::Rejected, "Not Found"),
        (json("422 Unprocessable Entity", value!({ "error": "bad seed" })), ModelFailure::Rejected, "bad seed"),
        (
            http("302 Found", &["location: https://login.example/?next=secret"], ""),
            ModelFailure::Rejected,
            "sends on to https://login.example/;",
        ),
        (
            http("200 OK", &["content-type: text/html; charset=utf-8"], "<html>Log in</html>"),
            ModelFailure::Unreadable,
            "answered with `text/html; charset=utf-8` and not with JSON: <html>Log in</html>",
        ),
        (http("200 OK", &["content-type: application/json"], "oops"), ModelFailure::Unreadable, "is not JSON"),
        (json("200 OK", value!({ "object": "list" })), ModelFailure::Unreadable, "no list `choices`"),
        (json("200 OK", error("insufficient_quota")), ModelFailure::QuotaExhausted, "answered with an error: no"),
    ] {
        let (failure, said, asked) = failing(act).await;
        assert!(failure == kind && said.contains(part), "{failure:?} {said}");
        assert_eq!(asked, 1, "{said}");
    }
}

#[tokio::test]
async fn an_answer_that_breaks_off_may_pass() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
    for (text, part) in [
        (format!("{head}content-length: 500\r\n\r\n{{\"choices\":"), "broke off after 11 bytes"),
        (format!("{head}transfer-encoding: chunked\r\n\r\nb\r\n{{\"choices\":\r\n"), "broke off after 11 bytes"),
        // Nothing but the JSON itself says that this is a half.
        (format!("{head}connection: close\r\n\r\n{{\"choices\":"), "broke off after 11 bytes"),
        (format!("{head}content-length: 0\r\n\r\n"), "broke off after 0 bytes"),
        ("HTTP/1.1 200 O".to_owned(), "the connection broke"),
        (String::new(), "the connection broke"),
        ("SSH-2.0-OpenSSH_9.2\r\n\r\n".to_owned(), "the connection broke"),
    ] {
        let (failure, said, asked) = failing(Act::Send(text.clone().into_bytes())).await;
        assert!(failure == ModelFailure::Outage && said.contains(part), "{text:?}: {said}");
        assert_eq!(asked, 2, "{said}");
    }
    for error in [value!({ "code": 502, "message": "upstream" }), value!({ "type": "server_error", "message": "x" })] {
        let (failure, _, asked) = failing(json("200 OK", value!({ "error": error }))).await;
        assert_eq!((failure, asked), (ModelFailure::Outage, 2));
    }
    let gone = Server::start([Act::Reset]).await;
    let refusing = ModelBinding { retries: Some(1), ..table(&gone) };
    drop(gone);
    let error = ask(&remote(refusing)).await.expect_err("nobody listens");
    assert!(error.to_string().contains("it cannot be reached") && error.to_string().contains("refused"), "{error}");
}

#[tokio::test]
async fn each_time_out_names_itself() {
    const LONG: u64 = 3_600_000;
    let silent = Server::start([Act::Hang(Vec::new())]).await;
    let error = ask(&hurried(&silent, LONG, 50, LONG)).await.expect_err("late");
    assert_eq!(error.failure, ModelFailure::TimedOut);
    assert!(error.message.contains("the first byte of its answer did not come within 0.05 s (`firstByteTimeoutSecs`)"));
    let halting = b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{".to_vec();
    let error = ask(&hurried(&Server::start([Act::Hang(halting)]).await, LONG, LONG, 50)).await.expect_err("late");
    assert_eq!(error.failure, ModelFailure::TimedOut);
    assert!(error.message.contains("its whole answer") && error.message.contains("`totalTimeoutSecs`"), "{error}");

    // Its line of who waits to be let in is full, so nobody else is answered.
    let socket = tokio::net::TcpSocket::new_v4().expect("socket");
    socket.bind("127.0.0.1:0".parse().expect("address")).expect("bind");
    let full = socket.listen(1).expect("listen");
    let address = full.local_addr().expect("address");
    let mut waiting = Vec::new();
    while let Ok(Ok(stream)) =
        tokio::time::timeout(Duration::from_millis(200), tokio::net::TcpStream::connect(address)).await
    {
        waiting.push(stream);
        assert!(waiting.len() < 64, "the line never fills");
    }
    let mut deaf = hurried(&silent, 50, LONG, LONG);
    let url = reqwest::Url::parse(&format!("http://{address}/v1/chat/completions")).expect("url");
    let ms = Duration::from_millis;
    let timeouts = Timeouts { connect: ms(50), first_byte: ms(LONG), total: ms(LONG) };
    deaf.wire = Wire::new(url, deaf.protocol.headers(None), timeouts).expect("wire");
    let error = ask(&deaf).await.expect_err("late");
    assert_eq!(error.failure, ModelFailure::TimedOut);
    assert!(error.message.contains("a connection did not come within 0.05 s (`connectTimeoutSecs`)"), "{error}");
}

#[tokio::test]
async fn the_key_is_in_the_header_and_nowhere_else() {
    let echo = |status: &str| json(status, value!({ "error": { "message": format!("bad key {KEY}"), "code": KEY } }));
    // The key stands where the text is cut.
    let cut = json("400 Bad Request", value!({ "error": { "message": format!("{}{KEY}", "x".repeat(390)) } }));
    let in_type = http("200 OK", &[&format!("content-type: text/{KEY}")], KEY);
    let onward = http("307 Temporary Redirect", &[&format!("location: http://h/{KEY}")], "");
    let said_back = json("200 OK", value!({ "choices": [{ "message": { "content": format!("key = '{KEY}'") } }] }));
    for act in [echo("401 Unauthorized"), echo("200 OK"), cut, in_type, onward, said_back] {
        let (_, said, _) = failing(act.clone()).await;
        assert!(!said.contains("live") && !said.contains("sk-"), "{said}");
    }
    let server = Server::start([echo("503 Service Unavailable"), says("ok")]).await;
    let remote = remote(table(&server));
    let reply = ask(&remote).await.expect("a reply");
    let shown = format!(
        "{remote:?} {reply:?} {:?} {:?}",
        remote.protocol.headers(remote.key.as_ref()),
        serde_json::to_string(&remote.binding()).expect("json")
    );
    assert!(shown.contains("bad key [key]") && !shown.contains("live"), "{shown}");
    let keyless = super::tests::remote(ModelBinding { api_key_env: None, ..table(&server) });
    ask(&keyless).await.expect("a reply");
    assert!(!server.came()[2].head.contains("authorization"), "no key, no header");
}

#[tokio::test]
async fn all_calls_of_a_binding_share_its_limits() {
    let server = Server::start([says("ok")]).await;
    let bound = remote(ModelBinding { requests_per_minute: Some(2), ..table(&server) });
    ask(&bound).await.expect("a reply");
    ask(&bound).await.expect("a reply");
    let third = ask(&bound);
    tokio::time::timeout(Duration::from_millis(100), third).await.expect_err("the third waits");
    assert_eq!(server.came().len(), 2, "and was not made");
    // What was estimated is corrected by what was used: 3 and 999 are estimated, 15 are used.
    let bound = remote(ModelBinding { tokens_per_minute: Some(1_030), max_tokens: Some(999), ..table(&server) });
    for _ in 0..2 {
        ask(&bound).await.expect("a reply");
    }
    tokio::time::timeout(Duration::from_millis(100), ask(&bound)).await.expect_err("the third waits");
    assert_eq!(server.came().len(), 4);
}
