//! The server behind a route: it tells what it was asked, gives back what it was sent, and says events when it is told to.

use actix_web::web::{self, Bytes, Data, Payload, PayloadConfig};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use serde_json::{Map, Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Poll, Waker};
use tungstenite::Message;

#[derive(Default)]
struct Events {
    waiting: VecDeque<String>,
    waker: Option<Waker>,
    readers: usize,
}

type Shared = Arc<Mutex<Events>>;

/// It runs until the test process ends.
pub struct Upstream {
    pub url: String,
    events: Shared,
}

impl Upstream {
    pub fn start() -> Self {
        let events = Shared::default();
        let (started, address) = mpsc::channel();
        let shared = events.clone();
        std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let app = move || {
                    App::new()
                        .app_data(Data::from(shared.clone()))
                        .app_data(PayloadConfig::new(32 << 20))
                        .route("/api/queue/whole", web::post().to(whole))
                        .route("/api/queue/lines", web::post().to(lines))
                        .route("/api/queue/events", web::get().to(events_of))
                        .route("/api/queue/bytes/{count}", web::to(zeros))
                        .route("/api/queue/seen/{tail:.*}", web::to(seen))
                };
                let server = HttpServer::new(app).workers(1).disable_signals().bind("127.0.0.1:0").unwrap();
                started.send(server.addrs()[0]).unwrap();
                server.run().await.unwrap();
            });
        });
        Self { url: format!("http://{}", address.recv().unwrap()), events }
    }

    /// What the next reader of events hears.
    pub fn say(&self, event: &str) {
        let mut events = self.events.lock().unwrap();
        events.waiting.push_back(event.to_owned());
        if let Some(waker) = events.waker.take() {
            waker.wake();
        }
    }

    pub fn readers(&self) -> usize {
        self.events.lock().unwrap().readers
    }
}

async fn whole(body: Bytes) -> HttpResponse {
    HttpResponse::Ok().body(body)
}

async fn lines(body: Payload) -> HttpResponse {
    HttpResponse::Ok().streaming(body)
}

async fn zeros(count: web::Path<usize>) -> HttpResponse {
    HttpResponse::Ok().body(vec![0_u8; *count])
}

async fn seen(request: HttpRequest) -> HttpResponse {
    let headers: Map<String, Value> = (request.headers().iter())
        .map(|(name, value)| (name.to_string(), json!(value.to_str().unwrap_or_default())))
        .collect();
    let mut response = HttpResponse::ImATeapot();
    response.append_header(("x-theirs", "kept"));
    let (method, target) = (request.method().as_str(), request.uri().to_string());
    // Which connection it came by.
    let port = request.peer_addr().map(|peer| peer.port());
    response.json(json!({"method": method, "target": target, "headers": headers, "port": port}))
}

/// Counts a reader for as long as somebody reads.
struct Reading(Data<Mutex<Events>>);

impl Drop for Reading {
    fn drop(&mut self) {
        self.0.lock().unwrap().readers -= 1;
    }
}

async fn events_of(events: Data<Mutex<Events>>) -> HttpResponse {
    events.lock().unwrap().readers += 1;
    let reading = Reading(events);
    let stream = futures_util::stream::poll_fn(move |context| {
        let mut events = reading.0.lock().unwrap();
        match events.waiting.pop_front() {
            Some(event) => Poll::Ready(Some(Ok::<_, std::convert::Infallible>(Bytes::from(event)))),
            None => {
                events.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    });
    HttpResponse::Ok().content_type("text/event-stream").streaming(stream)
}

/// A websocket that gives every message back, and closes when one says so; its URL.
pub fn websocket_echo() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            std::thread::spawn(move || {
                let mut socket = tungstenite::accept(stream).unwrap();
                while let Ok(message) = socket.read() {
                    if message == Message::text("close") {
                        socket.close(None).unwrap();
                    } else if message.is_text() || message.is_binary() {
                        socket.send(message).unwrap();
                    }
                }
            });
        }
    });
    url
}

/// A server that gives one and the same answer, as it is written here, to each request without a body; its URL.
pub fn answering(answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            std::thread::spawn(move || repeat(&stream, answer));
        }
    });
    url
}

fn repeat(mut stream: &TcpStream, answer: &str) {
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        // Whoever asked may be gone, and then nothing follows.
        if line.is_empty() && stream.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}
