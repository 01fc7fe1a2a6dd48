import CLibcurl
import CShims

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Turns libcurl's result into a cause that says what happened.
extension Transfer {
    /// The cause of a result, or nil when the exchange is complete.
    func failureCause(_ result: CURLcode, text: String) -> TransportFailure.Cause? {
        switch collector.excess {
        case .headers: return .headersTooLarge(limit: configuration.headerLimit)
        case .body: return .bodyTooLarge(limit: configuration.bodyLimit)
        case nil: break
        }
        if handshake?.wasFlooded == true, result != CURLE_OK {
            return .protocolViolation(reason: "the server sends HTTP/2 frames without end, and no response")
        }
        let reason = text.isEmpty ? String(cString: curl_easy_strerror(result)) : text
        if sends > 0, !mayBeRepeated, collector.response == nil {
            // libcurl closed the connection, and may have opened another in vain for a second attempt.
            if [CURLE_RECV_ERROR, CURLE_SEND_ERROR].contains(result) { return .unanswered(reason: reason) }
            if result.isLoss || result.isOfConnecting { return .unanswered(reason: nil) }
        }
        if let refusal = proxyRefusal { return .proxyFailed(reason: refusal) }
        if result == CURLE_OK { return nil }
        if let trustFailure { return .trustUnreadable(path: trustFailure.path, reason: trustFailure.reason) }
        switch result {
        case CURLE_OPERATION_TIMEDOUT: return .timedOut(seconds: passedLimit)
        // HTTP/2 ends a stream in its own way; the connection goes on (RFC 9113 section 5.4.2).
        case CURLE_HTTP2_STREAM: return .connectionLost(reason: "the server aborted the response (\(reason))")
        case CURLE_COULDNT_RESOLVE_HOST: return .nameNotResolved
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return .proxyFailed(reason: reason)
        case CURLE_COULDNT_CONNECT: return connectionCause(reason)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER: return .tlsHandshake(reason: reason)
        case CURLE_PEER_FAILED_VERIFICATION:
            return .certificateRefused(handshake?.problem ?? .wrongHost(reason: reason))
        case CURLE_PARTIAL_FILE where collector.response != nil: return .truncated
        // The former is what libcurl says of HTTP/2.
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_ABORTED_BY_CALLBACK: return .closedWithoutAnswer
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR: return .connectionLost(reason: reason)
        case CURLE_URL_MALFORMAT: return .invalidURL(reason: reason)
        // libcurl has a bound of its own for one header line, above any sensible limit.
        case CURLE_OUT_OF_MEMORY where !collector.hasCompleteHeaders && timings.firstByte > 0:
            return .headersTooLarge(limit: configuration.headerLimit)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_BAD_CONTENT_ENCODING,
            CURLE_UNSUPPORTED_PROTOCOL:
            return .protocolViolation(reason: reason)
        default: return .other(code: Int(result.rawValue), text: reason)
        }
    }

    /// The step at which a cause ended the exchange.
    func step(of cause: TransportFailure.Cause) -> TransportFailure.Step {
        switch cause {
        case .schemeRefused, .invalidURL, .invalidRequest, .trustUnreadable, .limitReached, .hostNotAllowed: .preparing
        case .nameNotResolved: .resolvingName
        case .refused, .unreachable, .addressRefused, .proxyFailed: .connecting
        case .tlsHandshake, .certificateRefused: .securing
        case .bodyTooLarge, .headersTooLarge, .truncated, .protocolViolation: .reading
        case .closedWithoutAnswer, .unanswered: .waiting
        case .timedOut, .connectionLost, .cancelled, .other: stepByTime
        }
    }

    private var stepByTime: TransportFailure.Step {
        let times = timings
        if collector.response != nil { return .reading }
        // On a connection used again the times of connecting stay 0; that the request was sent says more.
        if preflight_curl_get_long(easy, CURLINFO_REQUEST_SIZE) > 0 { return .waiting }
        if times.nameLookup == 0 { return .resolvingName }
        if times.connect == 0 { return .connecting }
        if url.scheme == "https", times.tls == 0 { return .securing }
        return .waiting
    }

    /// The limit that a time-out ran into: that of the connection when it had not come further and time was left.
    private var passedLimit: Double {
        let isConnecting: Bool =
            switch stepByTime {
            case .resolvingName, .connecting, .securing: true
            default: false
            }
        let times = timings
        return isConnecting && times.total < totalTimeout - 0.001 ? configuration.connectTimeout : totalTimeout
    }

    /// How the proxy rejected the request, if it did.
    ///
    /// It responds to CONNECT itself (RFC 9110 section 9.3.6), and a 407 is always its own response as well (section 15.5.8).
    private var proxyRefusal: String? {
        guard usesProxy else { return nil }
        let status = preflight_curl_get_long(easy, CURLINFO_HTTP_CONNECTCODE)
        if status == 407 || (url.scheme == "http" && collector.response?.status == 407) {
            return "it requires a user name and a password (status 407)"
        }
        return status >= 300 ? "it refused to connect to \(url.hostAndPort) (status \(status))" : nil
    }

    private func connectionCause(_ reason: String) -> TransportFailure.Cause {
        if usesProxy { return .proxyFailed(reason: reason) }
        if let refusedAddress {
            return .addressRefused(address: refusedAddress.address, rule: refusedAddress.rule)
        }
        let number = Int32(preflight_curl_get_long(easy, CURLINFO_OS_ERRNO))
        return number == ECONNREFUSED ? .refused : .unreachable(reason: reason)
    }
}

extension CURLcode {
    /// Whether a connection ended without a response, or was not used for a further attempt at a request.
    var isLoss: Bool {
        [CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_ABORTED_BY_CALLBACK]
            .contains(self)
    }

    /// Whether no connection came about.
    fileprivate var isOfConnecting: Bool {
        [
            CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY, CURLE_COULDNT_CONNECT,
            CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION,
        ]
        .contains(self)
    }
}
