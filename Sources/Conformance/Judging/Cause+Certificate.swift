/// The advice if a request has no answer: the certificate, or the connection.
extension Cause {
    /// - Parameter member: The value that leads to the address: `jwks_uri`.
    static func adviceWithoutAnswer(to exchange: Exchange, in evidence: Evidence, from member: String) -> String {
        if exchange.failure?.kind == .certificateRefused {
            let authority = Target.authority(of: exchange.request.url).lowercased()
            let host = evidence.hosts.first { [$0.host, "\($0.host):\($0.port)"].contains(authority) }
            if case .refused(let reason, _)? = host?.tls.value?.verification { return reason.fix }
            return certificateAdvice
        }
        return "Check \(member), and that this machine can reach \(exchange.request.url.quoted)."
    }

    /// - Parameter failure: The failure of the last request of a sign-in.
    static func adviceAfter(_ failure: Exchange.Failure?) -> String {
        failure?.kind == .certificateRefused
            ? certificateAdvice : "See which request failed, and whether the provider can be reached from here."
    }

    /// The message of the failure says what is wrong with the certificate.
    private static let certificateAdvice =
        "Correct the certificate as the message says. If only its authority is unknown, and private, pass it with --ca-file."
}

extension TLSFacts.Refusal {
    /// The fix, for checks and for the first failed step of a sign-in.
    package var fix: String {
        switch self {
        case .untrusted, .other:
            "Install a certificate of a public authority, or pass the private authority with --ca-file. "
                + "If the authority is public, check that the server sends the complete chain."
        case .intermediateMissing:
            "Configure the web server with the full chain (fullchain.pem), its own certificate first. If its issuer is a "
                + "private authority and nothing is missing, pass that authority with --ca-file."
        case .expired: "Renew the certificate, and schedule its automatic renewal."
        case .notYetValid:
            "Wait until the certificate is valid, or correct the clock of the issuing machine and reissue the certificate."
        case .hostNameMismatch: "Install a certificate with this host in its subject alternative names."
        case .protocolTooOld: "Enable TLS 1.2 and TLS 1.3 in the web server."
        }
    }
}
