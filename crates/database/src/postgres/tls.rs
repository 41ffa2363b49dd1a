//! `sslrootcert=system` for a binary that carries its own OpenSSL: which knows no system, so the file is named to it.

use std::borrow::Cow;
use std::path::Path;

/// Where systems keep the certificates of the authorities they trust.
const BUNDLES: &[&str] = &[
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
    "/opt/homebrew/etc/openssl@3/cert.pem",
];

/// Replaces `sslrootcert=system` by the system's bundle, unless `SSL_CERT_FILE` or `SSL_CERT_DIR` name one to OpenSSL.
/// As libpq does for `system`, the host name is verified too.
pub(crate) fn with_system_roots(url: &str) -> Cow<'_, str> {
    let named = ["SSL_CERT_FILE", "SSL_CERT_DIR"].iter().any(|name| std::env::var_os(name).is_some());
    match BUNDLES.iter().find(|bundle| Path::new(bundle).exists()) {
        Some(bundle) if !named => replaced(url, bundle),
        _ => Cow::Borrowed(url),
    }
}

fn replaced<'a>(url: &'a str, bundle: &str) -> Cow<'a, str> {
    let Some((base, query)) = url.split_once('?') else { return Cow::Borrowed(url) };
    if !query.split('&').any(|part| part == "sslrootcert=system") {
        return Cow::Borrowed(url);
    }
    let others = query.split('&').filter(|part| *part != "sslrootcert=system" && !part.starts_with("sslmode="));
    let own = [format!("sslrootcert={bundle}"), "sslmode=verify-full".to_owned()];
    let parameters: Vec<_> = others.map(str::to_owned).chain(own).collect();
    Cow::Owned(format!("{base}?{}", parameters.join("&")))
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn the_systems_roots_become_a_file_that_is_verified_in_full() {
        assert_eq!(
            replaced("postgres://h/d?sslmode=require&sslrootcert=system&user=x", "/etc/bundle"),
            "postgres://h/d?user=x&sslrootcert=/etc/bundle&sslmode=verify-full"
        );
        for url in ["postgres://h/d", "postgres://h/d?sslrootcert=/own.crt&sslmode=verify-ca"] {
            assert_eq!(replaced(url, "/etc/bundle"), url);
        }
    }
}
