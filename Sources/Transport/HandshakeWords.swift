/// What a handshake that came to no certificate means: OpenSSL's words, for a person.
struct HandshakeWords: Sendable {
    let summary: String
    let advice: String

    /// - Parameter reason: As libcurl hands it on.
    init(_ reason: String) {
        let words = reason.lowercased()
        if Self.plainHTTP.contains(where: words.contains) {
            summary = "the port does not speak TLS, but most probably plain HTTP: \(reason)"
            advice = "Turn TLS on there, name the port that has it, or begin the address with http:// for a test."
        } else if let alert = Self.alerts.first(where: { words.contains($0.name) }) {
            summary = "the server broke the TLS handshake off with an alert, \(alert.meaning): \(reason)"
            advice = alert.advice
        } else if Self.endings.contains(where: words.contains) {
            summary = "the connection was closed before TLS was agreed on: \(reason)"
            advice =
                "See whether a firewall or a load balancer closes it, whether the server is overloaded, and its log for that "
                + "moment; a certificate was not seen."
        } else {
            summary = "TLS could not be agreed on: \(reason)"
            advice = "Check that the port speaks TLS 1.2 or later with a common cipher."
        }
    }

    /// The first octets of the server were none of a TLS record: OpenSSL reads the H of HTTP as a version.
    private static let plainHTTP = ["wrong version number", "http request", "packet length too long"]

    private static let endings = [
        "unexpected eof", "ssl_error_syscall", "connection reset", "broken pipe", "connection was closed", "errno",
    ]

    /// Alerts that a client meets before a certificate (RFC 8446 section 6.2), by OpenSSL's names.
    private static let alerts: [(name: String, meaning: String, advice: String)] = [
        (
            "unrecognized name", "unrecognized_name: it knows no host of this name",
            "Configure the server, or the balancer before it, for this host name; compare the name with its DNS entry."
        ),
        (
            "alert handshake failure", "handshake_failure: it shares no parameters with this client",
            "Turn on TLS 1.2 or later with common ciphers; some servers answer so for a host name that they do not know."
        ),
        (
            "alert protocol version", "protocol_version: it does not speak the versions that were offered",
            "Turn on TLS 1.2 and TLS 1.3 at the server."
        ),
        (
            "certificate required", "certificate_required: it wants a certificate of the client",
            "Turn client certificates off for this host: relying parties fetch public documents without one."
        ),
        (
            "no application protocol", "no_application_protocol: it speaks neither HTTP/2 nor HTTP/1.1 there",
            "Let the server speak HTTP/1.1 or HTTP/2 on this port."
        ),
        (
            "alert internal error", "internal_error: it failed by itself",
            "See the server's log for that moment; often no certificate is configured for this host name."
        ),
        (
            "alert access denied", "access_denied: it does not serve this client",
            "See the server's access rules and those of a firewall before it."
        ),
        (
            "insufficient security", "insufficient_security: it wants stronger parameters than were offered",
            "Turn on the ciphers of TLS 1.3 or the common ones of TLS 1.2."
        ),
    ]
}
