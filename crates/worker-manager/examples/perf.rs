use serde_json::json;
use std::io::BufRead;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

fn cpu(pid: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let rest: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
    (rest[11].parse::<f64>().unwrap() + rest[12].parse::<f64>().unwrap()) / 100.0
}

fn load(port: u16, path: &str, total: usize) {
    let threads = 4;
    let per = total / threads;
    let handles: Vec<_> = (0..threads)
        .map(|_| {
            let path = path.to_owned();
            std::thread::spawn(move || {
                let mut s = TcpStream::connect(("127.0.0.1", port)).unwrap();
                s.set_nodelay(true).unwrap();
                let req =
                    format!("GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\naccept: */*\r\nuser-agent: perf\r\n\r\n");
                let mut buf = vec![0u8; 65536];
                for _ in 0..per {
                    s.write_all(req.as_bytes()).unwrap();
                    let mut have = 0;
                    let mut need = None;
                    loop {
                        let n = s.read(&mut buf[have..]).unwrap();
                        assert!(n > 0);
                        have += n;
                        if need.is_none() {
                            if let Some(end) = buf[..have].windows(4).position(|w| w == b"\r\n\r\n") {
                                let head = std::str::from_utf8(&buf[..end]).unwrap().to_lowercase();
                                assert!(head.starts_with("http/1.1 200"), "{head}");
                                let len: usize = head
                                    .split("content-length: ")
                                    .nth(1)
                                    .unwrap()
                                    .split("\r\n")
                                    .next()
                                    .unwrap()
                                    .parse()
                                    .unwrap();
                                need = Some(end + 4 + len);
                            }
                        }
                        if need == Some(have) {
                            break;
                        }
                    }
                }
            })
        })
        .collect();
    for h in handles {
        h.join().unwrap();
    }
}

fn definition() -> serde_json::Value {
    let mut properties = serde_json::Map::new();
    for i in 0..60 {
        properties.insert(
            format!("property{i}"),
            json!({"type": "string", "description": "some words about the property that fill the space"}),
        );
    }
    json!({"description": "d", "compatibility": "none", "variants": [{"name": "a", "payloadSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": properties}}]})
}

async fn ours(log: bool) {
    let dir = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", dir.path().join("r.db").display());
    let store = store::SqlStore::open(&url, &database::Options::default()).unwrap();
    let registry = Arc::new(registry::Registry::open(Arc::new(store), registry::Settings::default()).unwrap());
    let context = registry::WriteContext {
        caller: worker_types::Caller::unrestricted("x"),
        precondition: Some(registry::Precondition::Any),
        message: None,
        request_id: None,
    };
    registry
        .publish(
            "p/w".parse().unwrap(),
            registry::Publish { definition: definition(), dry_run: false, replace_rollout: false },
            context,
        )
        .await
        .unwrap();
    let context = registry::WriteContext {
        caller: worker_types::Caller::unrestricted("x"),
        precondition: Some(registry::Precondition::Any),
        message: None,
        request_id: None,
    };
    registry
        .publish(
            "p/batch".parse().unwrap(),
            registry::Publish {
                definition: json!({"description": "x", "variants": [{"name": "default", "payloadSchema": schema2()}]}),
                dry_run: false,
                replace_rollout: false,
            },
            context,
        )
        .await
        .unwrap();
    for i in 0..200 {
        let context = registry::WriteContext {
            caller: worker_types::Caller::unrestricted("x"),
            precondition: Some(registry::Precondition::Any),
            message: None,
            request_id: None,
        };
        registry
            .publish(
                format!("p/x{i}").parse().unwrap(),
                registry::Publish { definition: json!({"description": "x"}), dry_run: false, replace_rollout: false },
                context,
            )
            .await
            .unwrap();
    }
    let service = Arc::new(worker_manager::WorkerManager::new(registry, worker_manager::Options::default()));
    let access_log = log.then(|| service::AccessLog::to(std::fs::File::create("/dev/null").unwrap()));
    let settings = service::Settings { workers: Some(1), access_log, ..service::Settings::local("127.0.0.1:0") };
    let running = service::start(settings, vec![service]).await.unwrap();
    println!("{}", running.address().port());
    running.until(std::future::pending()).await.unwrap();
}

async fn bare(size: usize) {
    use actix_web::{App, HttpResponse, HttpServer, web};
    let body = bytes::Bytes::from(vec![b'x'; size]);
    let server = HttpServer::new(move || {
        let body = body.clone();
        App::new().route(
            "/",
            web::get().to(move || {
                let body = body.clone();
                async move { HttpResponse::Ok().content_type("application/json").body(body) }
            }),
        )
    })
    .workers(1)
    .bind("127.0.0.1:0")
    .unwrap();
    println!("{}", server.addrs()[0].port());
    server.run().await.unwrap();
}

fn child(args: &[&str]) -> (Child, u16) {
    let mut child = Command::new(std::env::current_exe().unwrap()).args(args).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    std::io::BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    (child, line.trim().parse().unwrap())
}

fn schema2() -> serde_json::Value {
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "additionalProperties": false, "required": ["image", "maxRunTime"],
        "properties": {
            "image": {"oneOf": [{"type": "string", "minLength": 1}, {"type": "object", "required": ["type", "path"], "additionalProperties": false,
                "properties": {"type": {"enum": ["task-image", "indexed-image"]}, "path": {"type": "string"}, "taskId": {"type": "string", "pattern": "^[A-Za-z0-9_-]{22}$"}}}]},
            "command": {"type": "array", "items": {"type": "string"}},
            "env": {"type": "object", "additionalProperties": {"type": "string"}},
            "cache": {"type": "object", "additionalProperties": {"type": "string"}},
            "maxRunTime": {"type": "integer", "minimum": 1, "maximum": 86400},
            "features": {"type": "object", "additionalProperties": {"type": "boolean"}},
            "artifacts": {"type": "object", "additionalProperties": {"type": "object", "required": ["type", "path"], "additionalProperties": false,
                "properties": {"type": {"enum": ["file", "directory"]}, "path": {"type": "string"}, "expires": {"type": "string", "format": "date-time"}}}},
        },
    })
}

fn payload2() -> serde_json::Value {
    let env: serde_json::Map<String, serde_json::Value> =
        (0..20).map(|n| (format!("VARIABLE_{n}"), json!(format!("the value of variable {n}")))).collect();
    json!({
        "image": {"type": "task-image", "path": "public/image.tar.zst", "taskId": "fN1SbArXTPSVFNUvaOlinQ"},
        "command": ["/bin/bash", "-cx", "make check"], "env": env, "cache": {"checkouts": "/builds/worker/checkouts"},
        "maxRunTime": 3600, "features": {"taskclusterProxy": true},
        "artifacts": {"public/build": {"type": "directory", "path": "/builds/worker/artifacts", "expires": "2027-11-30T08:00:00.000Z"}},
    })
}

fn tasks(pid: u32) -> f64 {
    std::fs::read_dir(format!("/proc/{pid}/task"))
        .unwrap()
        .filter_map(|e| std::fs::read_to_string(e.ok()?.path().join("schedstat")).ok())
        .map(|t| t.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9)
        .sum()
}

fn batch(port: u16, pid: u32) {
    use worker_types::{JsonLimits, Task, parse_json};
    let line = json!({"taskQueueId": "p/batch", "payload": payload2()}).to_string() + "\n";
    let body = line.repeat(10_000);
    let validator = jsonschema::options()
        .with_draft(jsonschema::Draft::Draft7)
        .should_validate_formats(true)
        .with_pattern_options(jsonschema::PatternOptions::regex())
        .build(&schema2())
        .unwrap();
    let rt = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let _g = rt.enter();
    let dir = tempfile::tempdir().unwrap();
    let store = store::SqlStore::open(
        &format!("sqlite://{}", dir.path().join("r.db").display()),
        &database::Options::default(),
    )
    .unwrap();
    let registry = Arc::new(registry::Registry::open(Arc::new(store), registry::Settings::default()).unwrap());
    let context = registry::WriteContext {
        caller: worker_types::Caller::unrestricted("x"),
        precondition: Some(registry::Precondition::Any),
        message: None,
        request_id: None,
    };
    rt.block_on(registry.publish(
        "p/batch".parse().unwrap(),
        registry::Publish {
            definition: json!({"description": "x", "variants": [{"name": "default", "payloadSchema": schema2()}]}),
            dry_run: false,
            replace_rollout: false,
        },
        context,
    ))
    .unwrap();
    let time = |f: &mut dyn FnMut(&str)| {
        let t = std::time::Instant::now();
        for line in body.lines() {
            f(line)
        }
        t.elapsed().as_secs_f64() * 100.0
    };
    for _ in 0..5 {
        let bare = time(&mut |line| {
            let v: serde_json::Value = serde_json::from_str(line).unwrap();
            assert!(validator.is_valid(&v["payload"]));
            let _ = std::hint::black_box(Task::normalised(v).is_ok());
        });
        let serde = time(&mut |line| {
            std::hint::black_box(serde_json::from_str::<serde_json::Value>(line).unwrap());
        });
        let strict = time(&mut |line| {
            std::hint::black_box(parse_json(line.as_bytes(), JsonLimits::default()).unwrap());
        });
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        let clone = time(&mut |_| {
            std::hint::black_box(value.clone());
        });
        let norm = time(&mut |_| {
            std::hint::black_box(Task::normalised(value.clone()).unwrap());
        });
        let task = Task::normalised(value.clone()).unwrap();
        let id: worker_types::WorkerTypeId = "p/batch".parse().unwrap();
        let verdict = time(&mut |_| {
            std::hint::black_box(registry.verdict(&id, payload_schema::Input::Task(&task)).unwrap());
        });
        let valid = time(&mut |_| {
            std::hint::black_box(validator.is_valid(&value["payload"]));
        });
        let v = registry.verdict(&id, payload_schema::Input::Task(&task)).unwrap();
        let ser = time(&mut |_| {
            std::hint::black_box(serde_json::to_vec(&v).unwrap());
        });
        let server = tasks(pid);
        let t = std::time::Instant::now();
        let mut s = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let mut w = s.try_clone().unwrap();
        let bytes = body.clone();
        let writer = std::thread::spawn(move || {
            w.write_all(format!("POST /api/worker-manager/v1/tasks/validate HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/x-ndjson\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", bytes.len()).as_bytes()).unwrap();
            w.write_all(bytes.as_bytes()).unwrap();
        });
        let mut out = Vec::new();
        s.read_to_end(&mut out).unwrap();
        writer.join().unwrap();
        let ours = t.elapsed().as_secs_f64() * 100.0;
        let n = String::from_utf8_lossy(&out).matches("\"verdict\":\"valid\"").count();
        assert_eq!(n, 10_000);
        println!(
            "us/line: bare {bare:.1} (serde {serde:.1} strict {strict:.1} clone {clone:.1} normalise {:.1} verdict {verdict:.1} is_valid {valid:.1} serialise {ser:.1}) over http {ours:.1} ratio {:.2}",
            norm - clone,
            bare / ours
        );
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rt = || tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    match args.first().map(String::as_str) {
        Some("bare") => rt().block_on(bare(args[1].parse().unwrap())),
        Some("ours") => rt().block_on(ours(false)),
        Some("log") => rt().block_on(ours(true)),
        _ => {
            let size = definition()["variants"][0]["payloadSchema"].to_string().len();
            println!("size {size}");
            let n: usize = 100_000;
            let (mut b, bp) = child(&["bare", &size.to_string()]);
            let (mut o, op) = child(&["ours"]);
            let (mut l, lp) = child(&["log"]);
            let path = "/api/worker-manager/v1/worker-types/p/w/payload-schema";
            for _ in 0..5 {
                let mut row = vec![];
                for (pid, port, path) in [(b.id(), bp, "/"), (o.id(), op, path), (l.id(), lp, path)] {
                    let before = cpu(pid);
                    load(port, path, n);
                    row.push((cpu(pid) - before) * 1e6 / n as f64);
                }
                println!(
                    "us/request: bare {:.2} ours {:.2} ({:.2}x) with log {:.2} ({:.2}x)",
                    row[0],
                    row[1],
                    row[1] / row[0],
                    row[2],
                    row[2] / row[0]
                );
            }
            batch(op, o.id());
            for c in [&mut b, &mut o, &mut l] {
                c.kill().unwrap();
                let _ = c.wait();
            }
        }
    }
}
