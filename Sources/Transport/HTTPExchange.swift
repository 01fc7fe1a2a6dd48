/// One request and what became of it: evidence, whether it succeeded or not.
package struct HTTPExchange: Sendable, Hashable {
    package var request: HTTPRequest
    /// The answer, or the part of it that arrived before `failure`.
    package var response: HTTPResponse?
    package var failure: TransportFailure?
    package var timings: Timings
    package var peer: Peer?
    package var tls: TLSFacts?
    /// When the request was handed to the engine, in seconds since 1970.
    package var startedAt: Double
    /// Whether the exchange went over a connection that an earlier one had opened.
    package var reusedConnection: Bool

    package init(
        request: HTTPRequest,
        response: HTTPResponse? = nil,
        failure: TransportFailure? = nil,
        timings: Timings = Timings(),
        peer: Peer? = nil,
        tls: TLSFacts? = nil,
        startedAt: Double = 0,
        reusedConnection: Bool = false
    ) {
        self.request = request
        self.response = response
        self.failure = failure
        self.timings = timings
        self.peer = peer
        self.tls = tls
        self.startedAt = startedAt
        self.reusedConnection = reusedConnection
    }
}

/// When each step of an exchange was done, in seconds from its start; 0 for a step that did not happen.
package struct Timings: Sendable, Hashable {
    package var nameLookup: Double
    package var connect: Double
    package var tls: Double
    package var firstByte: Double
    package var total: Double

    package init(
        nameLookup: Double = 0,
        connect: Double = 0,
        tls: Double = 0,
        firstByte: Double = 0,
        total: Double = 0
    ) {
        self.nameLookup = nameLookup
        self.connect = connect
        self.tls = tls
        self.firstByte = firstByte
        self.total = total
    }
}

/// The address that answered.
package struct Peer: Sendable, Hashable {
    package var address: String
    package var port: Int

    package init(address: String, port: Int) {
        self.address = address
        self.port = port
    }
}

/// The TLS handshake of the connection; known also when the certificate was rejected.
package struct TLSFacts: Sendable, Hashable {
    /// The result of verifying the certificate chain (not the host name).
    package enum Verification: Sendable, Hashable {
        case verified
        /// OpenSSL's error code and words, and the place in the chain (0 is the server's own certificate).
        case refused(code: Int, reason: String, depth: Int)
    }

    /// The protocol version in OpenSSL's words, such as `TLSv1.3`.
    package var version: String
    package var cipher: String
    package var verification: Verification
    /// The certificates in DER as the server sent them, its own first; the trusted root is not added.
    package var chain: [[UInt8]]
    /// Whether the server's certificate is valid for the requested host; nil when it was not checked.
    package var hostMatched: Bool?

    package init(
        version: String,
        cipher: String,
        verification: Verification,
        chain: [[UInt8]],
        hostMatched: Bool?
    ) {
        self.version = version
        self.cipher = cipher
        self.verification = verification
        self.chain = chain
        self.hostMatched = hostMatched
    }
}
