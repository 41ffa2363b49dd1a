//! The floor: actix-web answering the same number of bytes from a constant, and nothing else.

use actix_web::web::Bytes;
use actix_web::{App, HttpResponse, HttpServer, web};
use std::io::Write;

/// Serves a constant body of `size` bytes on a free port, and prints the URL.
pub fn serve(size: usize) {
    let body = Bytes::from(vec![b'x'; size]);
    let run = async move {
        let server = HttpServer::new(move || {
            let body = body.clone();
            let answer = move || {
                let body = body.clone();
                async move { HttpResponse::Ok().content_type("application/schema+json").body(body) }
            };
            App::new().route("/", web::get().to(answer))
        });
        let server = server.workers(2).bind("127.0.0.1:0").expect("a port is free");
        println!("http://{}", server.addrs()[0]);
        std::io::stdout().flush().expect("standard output is open");
        server.run().await.expect("the server runs");
    };
    actix_web::rt::System::new().block_on(run);
}
