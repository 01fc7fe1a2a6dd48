/// The meaning of a handshake that failed before a certificate: OpenSSL's words, for a user.
struct HandshakeWords: Sendable {
    let summary: String
    let advice: String

    /// - Parameter reason: As libcurl hands it on.
    init(_ reason: String) {
        let words = reason.lowercased()
        if Self.plainHTTP.contains(where: words.contains) {
            summary = "the port does not speak TLS, but most probably plain HTTP: \(reason)"
            advice = "Enable TLS on this port, use the port with TLS, or begin the address with http:// for a test."
        } else if let alert = Self.alerts.first(where: { words.contains($0.name) }) {
            summary = "the server aborted the TLS handshake with an alert, \(alert.meaning): \(reason)"
            advice = alert.advice
        } else if Self.endings.contains(where: words.contains) {
            summary = "the connection was closed during the TLS handshake: \(reason)"
            advice =
                "Check whether a firewall or a load balancer closes it, whether the server is overloaded, and its log. "
                + "No certificate was received."
        } else {
            summary = "the TLS handshake failed: \(reason)"
            advice = "Check that the port speaks TLS 1.2 or later with a common cipher."
        }
    }

    /// The first bytes of the server were not a TLS record: OpenSSL reads the H of HTTP as a version.
    private static let plainHTTP = ["wrong version number", "http request", "packet length too long"]

    private static let endings = [
        "unexpected eof", "ssl_error_syscall", "connection reset", "broken pipe", "connection was closed", "errno",
    ]

    /// Alerts that a client meets before a certificate (RFC 8446 section 6.2), by OpenSSL's names.
    private static let alerts: [(name: String, meaning: String, advice: String)] = [
        (
            "unrecognized name", "unrecognized_name: it does not know this host name",
            "Configure the server, or the load balancer in front of it, for this host name; compare the name with its DNS entry."
        ),
        (
            "alert handshake failure", "handshake_failure: it shares no parameters with this client",
            "Enable TLS 1.2 or later with common ciphers. Some servers send this alert for an unknown host name."
        ),
        (
            "alert protocol version", "protocol_version: it does not support the offered versions",
            "Enable TLS 1.2 and TLS 1.3 at the server."
        ),
        (
            "certificate required", "certificate_required: it requires a client certificate",
            "Do not require client certificates for this host: relying parties fetch public documents without one."
        ),
        (
            "no application protocol", "no_application_protocol: it supports neither HTTP/2 nor HTTP/1.1 there",
            "Enable HTTP/1.1 or HTTP/2 on this port."
        ),
        (
            "alert internal error", "internal_error: it has an internal error",
            "See the server's log for that moment; often no certificate is configured for this host name."
        ),
        (
            "alert access denied", "access_denied: it does not serve this client",
            "Check the access rules of the server and of a firewall in front of it."
        ),
        (
            "insufficient security", "insufficient_security: it requires stronger parameters than were offered",
            "Enable the ciphers of TLS 1.3 or the common ones of TLS 1.2."
        ),
    ]
}
