//! The pages of the problems: what the `type` of a problem document leads to.

use crate::operation::{Access, Answer, Operation};
use crate::page::{escape, response};
use crate::{Api, Id, PathId, Refusal};
use actix_web::HttpResponse;
use worker_types::{Problem, closest};

static LIST: Operation = Operation {
    id: "listProblems",
    path: "/problems",
    summary: "Every way in which a request is refused",
    tag: "problems",
    access: Access::Public,
    answers: &[Answer::of(200, "text/html", "The table")],
    ..Operation::BLANK
};

static SHOW: Operation = Operation {
    id: "showProblem",
    path: "/problems/{problem}",
    summary: "What a problem means and what to do about it",
    tag: "problems",
    access: Access::Public,
    answers: &[Answer::of(200, "text/html", "Its page")],
    problems: &[Problem::UnknownRoute],
    ..Operation::BLANK
};

/// The rows, at the root of every server.
pub(crate) static ROWS: &[&Operation] = &[&LIST, &SHOW];

/// Binds the rows.
pub(crate) fn bind(api: Api) -> Api {
    api.on(&LIST, list).on(&SHOW, show)
}

async fn list() -> HttpResponse {
    let row = |problem: &Problem| {
        let (name, status, title) = (problem.name(), problem.status(), problem.title());
        format!("<tr><td><a href=\"/problems/{name}\">{name}</a></td><td>{status}</td><td>{}</td></tr>", escape(title))
    };
    let rows: String = Problem::ALL.iter().map(row).collect();
    let head = "<tr><th>Problem</th><th>Status</th><th>Meaning</th></tr>";
    response("Problems", &format!("<h1>Problems</h1><table>{head}{rows}</table>"))
}

async fn show(Id(NamedProblem(problem)): Id<NamedProblem>) -> HttpResponse {
    let (name, status, code) = (problem.name(), problem.status(), problem.code());
    let (title, help) = (escape(problem.title()), with_code(problem.help()));
    let body = format!(
        "<h1>{title}</h1><p>{help}</p><p>Problem <code>{name}</code>, status {status}, Taskcluster's code \
         <code>{code}</code>.</p><p><a href=\"/problems\">All problems</a></p>"
    );
    response(problem.title(), &body)
}

/// Words in which what stands between back-ticks is code.
fn with_code(text: &str) -> String {
    let part = |(index, part): (usize, &str)| {
        if index % 2 == 1 { format!("<code>{}</code>", escape(part)) } else { escape(part) }
    };
    text.split('`').enumerate().map(part).collect()
}

struct NamedProblem(Problem);

impl PathId for NamedProblem {
    fn read(parameter: &dyn Fn(&str) -> Result<String, Refusal>) -> Result<Self, Refusal> {
        let name = parameter("problem")?;
        let found = Problem::ALL.iter().copied().find(|problem| problem.name() == name);
        found.map(Self).ok_or_else(|| {
            let hint = closest(&name, Problem::ALL.iter().map(|problem| problem.name()));
            let hint = hint.map(|hint| format!("; did you mean {hint}?")).unwrap_or_default();
            Refusal::new(Problem::UnknownRoute, format!("there is no problem of this name{hint}"))
        })
    }
}
