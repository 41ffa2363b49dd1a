//! What to do about each of libpq's reasons not to connect.

/// Whether a failure to connect passes by itself, and what to say besides.
pub(crate) enum Advice {
    /// The server is away or busy.
    Wait(&'static str),
    /// Somebody has to change something.
    Mend(Option<&'static str>),
}

const TABLE: &[(&[&str], Advice)] = &[
    (
        &["password authentication failed", "no password supplied"],
        Advice::Mend(Some("Check the user and the password in the URL (or PGPASSWORD, or ~/.pgpass)")),
    ),
    (&["role \"", "does not exist"], Advice::Mend(Some("Make the user with `createuser`, or name another in the URL"))),
    (&["database \"", "does not exist"], Advice::Mend(Some("Make it with `createdb`, or name another in the URL"))),
    (
        &["no pg_hba.conf entry", "pg_hba.conf rejects"],
        Advice::Mend(Some(
            "The server does not admit this user from here: see its pg_hba.conf, and sslmode in the URL",
        )),
    ),
    (
        &["server does not support SSL"],
        Advice::Mend(Some("Turn TLS on at the server, or ask for less with sslmode=prefer in the URL")),
    ),
    (
        &["certificate verify failed", "does not match host name", "root certificate file"],
        Advice::Mend(Some(
            "Name the authority's certificate with sslrootcert=FILE in the URL (sslrootcert=system for the system's)",
        )),
    ),
    (
        &["invalid ", "missing ", " in URI"],
        Advice::Mend(Some("Check the parameters of the URL; special characters are percent-encoded")),
    ),
    (
        &["Connection refused", "No such file or directory", "Is the server running"],
        Advice::Wait("Start the server, or check host and port in the URL"),
    ),
    (&["could not translate host name"], Advice::Wait("Check the host in the URL, and the name server")),
    (
        &["timeout expired", "Connection timed out", "No route to host", "Network is unreachable"],
        Advice::Wait("Check host and port in the URL, and the network"),
    ),
    (
        &["too many clients", "too many connections", "remaining connection slots"],
        Advice::Wait("Raise max_connections at the server, or make the pools smaller"),
    ),
    (
        &["the database system is", "terminating connection", "server closed the connection", "Connection reset"],
        Advice::Wait("Wait until the server is up"),
    ),
];

/// The advice on libpq's `message`. Words that nobody foresaw are a server's that may come back.
pub(crate) fn on(message: &str) -> &'static Advice {
    let found = TABLE.iter().find(|(words, _)| match words {
        [role_or_database @ ("role \"" | "database \""), rest] => {
            message.contains(role_or_database) && message.contains(rest)
        }
        any => any.iter().any(|words| message.contains(words)),
    });
    found.map_or(&Advice::Mend(None), |(_, advice)| advice)
}
