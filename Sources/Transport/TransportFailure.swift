/// Why an exchange did not come to its end: the step, the host and the cause.
package struct TransportFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// How far the exchange had come.
    package enum Step: String, Sendable, Hashable, CaseIterable {
        case preparing = "preparing the request"
        case resolvingName = "resolving the host name"
        case connecting = "connecting"
        case securing = "the TLS handshake"
        case waiting = "waiting for the response"
        case reading = "reading the response"
    }

    /// The error, in kinds that a caller can distinguish.
    package enum Cause: Sendable, Hashable {
        case nameNotResolved
        case refused
        case unreachable(reason: String)
        case timedOut(seconds: Double)
        case tlsHandshake(reason: String)
        case certificateRefused(CertificateProblem)
        case addressRefused(address: String, rule: String)
        /// The request is not for a public document, and `--allow-issuer` does not name the host.
        case hostNotAllowed
        case bodyTooLarge(limit: Int)
        case headersTooLarge(limit: Int)
        case truncated
        case closedWithoutAnswer
        /// A request that may change something was sent, and is not sent again.
        case unanswered(reason: String?)
        case connectionLost(reason: String)
        case protocolViolation(reason: String)
        case schemeRefused(scheme: String)
        case invalidURL(reason: String)
        case invalidRequest(reason: String)
        case trustUnreadable(path: String, reason: String)
        case proxyFailed(reason: String)
        case cancelled
        /// Nothing was sent, or not waited for to the end.
        case limitReached(LimitReached)
        /// Any other error of libcurl, with its number and words.
        case other(code: Int, text: String)
    }

    package var step: Step
    /// The host and, where it is not the scheme's own, the port; empty when the URL could not be read.
    package var host: String
    package var cause: Cause

    package init(step: Step, host: String, cause: Cause) {
        self.step = step
        self.host = host
        self.cause = cause
    }

    /// Whether the request may have taken effect at the server, without a response that says so.
    package var leavesEffectOpen: Bool { [.waiting, .reading].contains(step) }

    /// One line for a user: step, host, cause, meaning and advice.
    package var description: String {
        let place = host.isEmpty ? step.rawValue : "\(step.rawValue) (\(host))"
        return "\(place): \(cause.summary). \(cause.advice)"
    }
}

/// Why a server's certificate was not accepted.
package enum CertificateProblem: Sendable, Hashable {
    case expired(depth: Int)
    case notYetValid(depth: Int)
    /// The server's own certificate is its own issuer, and nothing trusts it.
    case selfSigned
    /// The chain ends in a root that is not trusted.
    case untrustedRoot
    /// The server sent one certificate, and its issuer is not among the trusted: most often an intermediate is missing.
    case intermediateMissing
    /// The server sent several certificates, and the last one's issuer is not among the trusted.
    case unknownAuthority
    /// The chain is good, but the certificate is for other names.
    case wrongHost(reason: String)
    case other(code: Int, reason: String, depth: Int)

    /// The cause in a few words.
    package var summary: String {
        switch self {
        case .expired(let depth): "the \(Self.certificate(depth)) has expired"
        case .notYetValid(let depth): "the \(Self.certificate(depth)) is not valid yet"
        case .selfSigned: "the certificate is signed by itself"
        case .untrustedRoot: "the certificate chain ends in a root that is not trusted"
        case .intermediateMissing:
            "the server sent only its own certificate, and the certificate authority is not trusted"
        case .unknownAuthority: "the certificate authority is not trusted"
        case .wrongHost(let reason): "the certificate is for another host: \(reason)"
        case .other(_, let reason, let depth): "the \(Self.certificate(depth)) was rejected: \(reason)"
        }
    }

    /// The fix.
    var advice: String {
        switch self {
        case .expired: "Renew it on the server."
        case .notYetValid: "Compare the clocks, or install a certificate that is valid now."
        case .selfSigned, .untrustedRoot, .unknownAuthority:
            "Use a certificate of a public authority, or name the private one with --ca-file."
        case .intermediateMissing:
            "Configure the server to send its intermediate certificates too; "
                + "if a private authority signed the certificate, name it with --ca-file."
        case .wrongHost: "Install a certificate that lists this host among its subject alternative names."
        case .other: "Correct the certificate on the server."
        }
    }

    private static func certificate(_ depth: Int) -> String {
        depth == 0 ? "server's certificate" : "issuing certificate (number \(depth + 1) of the chain)"
    }
}

extension TransportFailure.Cause {
    /// The cause in a few words.
    package var summary: String {
        switch self {
        case .nameNotResolved: "the host name does not resolve"
        case .refused: "the connection was refused"
        case .unreachable(let reason): "no connection could be made: \(reason)"
        case .timedOut(let seconds): "no data within \(Self.text(seconds)) s"
        case .tlsHandshake(let reason): HandshakeWords(reason).summary
        case .certificateRefused(let problem): problem.summary
        case .addressRefused(let address, let rule): "the host name resolves to \(address), \(rule)"
        case .hostNotAllowed: "--allow-issuer does not name this host, so nothing was sent to it"
        case .bodyTooLarge(let limit): "the body is larger than \(limit) bytes"
        case .headersTooLarge(let limit): "the headers are larger than \(limit) bytes"
        case .truncated: "the connection ended before the body was complete"
        case .closedWithoutAnswer: "the connection was closed without a response"
        case .unanswered(let reason):
            "the request was sent once, and no response arrived" + (reason.map { ": \($0)" } ?? "")
        case .connectionLost(let reason): "the connection was lost: \(reason)"
        case .protocolViolation(let reason): "the response is not valid HTTP: \(reason)"
        case .schemeRefused(let scheme): "the scheme \(scheme) is not http or https"
        case .invalidURL(let reason): "the URL cannot be used: \(reason)"
        case .invalidRequest(let reason): "the request cannot be sent: \(reason)"
        case .trustUnreadable(let path, let reason): "no certificates could be read from \(path): \(reason)"
        case .proxyFailed(let reason): "proxy error: \(reason)"
        case .cancelled: "the run was interrupted"
        case .limitReached(let limit): limit.summary
        case .other(let code, let text): "\(text) (libcurl error \(code))"
        }
    }

    /// The meaning and the advice.
    var advice: String {
        switch self {
        case .nameNotResolved: "Check the spelling of the host and its DNS entry, or use --resolve."
        case .refused: "Nothing listens on that port: check the port, and that the server runs."
        case .unreachable: "Check the network, the firewall and the address."
        case .timedOut: "The server or the network is too slow: check its health, or raise the time limit."
        case .tlsHandshake(let reason): HandshakeWords(reason).advice
        case .certificateRefused(let problem): problem.advice
        case .addressRefused: "Only the issuer's own host, and hosts that the target allows, may have such an address."
        case .hostNotAllowed: "If the host belongs to the provider, add it with another --allow-issuer."
        case .bodyTooLarge, .headersTooLarge: "Reading stopped there; make the response smaller."
        case .truncated: "Compare Content-Length with what the server or a proxy in front of it really sends."
        case .closedWithoutAnswer:
            "See the server's log for that moment. If the port speaks TLS, the address must begin with https."
        case .unanswered:
            "See the server's log for that moment: the request may have taken effect, so the run does not send it again."
        case .connectionLost: "See the server's log for that moment."
        case .protocolViolation: "Check what listens on that port, and any proxy in front of it."
        case .schemeRefused: "Only http and https are fetched."
        case .invalidURL: "Correct the URL where it is published or configured."
        case .invalidRequest: "Correct the configured value."
        case .trustUnreadable: "Specify a readable file with certificates in PEM."
        case .proxyFailed: "Check https_proxy, http_proxy and no_proxy in the environment."
        case .cancelled: "Run it again."
        case .limitReached(let limit): limit.advice
        case .other: "Try the same request with curl -v."
        }
    }

    /// Seconds without a needless fraction.
    private static func text(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}
