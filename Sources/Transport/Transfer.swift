import CLibcurl
import COpenSSL
import CShims

/// The trusted certificates, read when the first TLS connection needs them.
final class TrustSource {
    private let system: SystemAuthorities
    private let certificateAuthorityFile: String?
    private var loaded: Result<TrustStore, TransportFailure.Cause.Unreadable>?

    init(system: SystemAuthorities, certificateAuthorityFile: String?) {
        self.system = system
        self.certificateAuthorityFile = certificateAuthorityFile
    }

    func store() -> Result<TrustStore, TransportFailure.Cause.Unreadable> {
        if let loaded { return loaded }
        let result: Result<TrustStore, TransportFailure.Cause.Unreadable>
        do {
            result = .success(try TrustStore(system: system, certificateAuthorityFile: certificateAuthorityFile))
        } catch {
            result = .failure(error)
        }
        loaded = result
        return result
    }
}

/// One request on its way: its easy handle, and what its callbacks gather.
///
/// Lives on the engine's thread only.
final class Transfer {
    typealias Refused = HTTPRequest.Refused

    let identifier: UInt64
    let easy: UnsafeMutableRawPointer
    let url: WebURL
    let request: HTTPRequest
    let configuration: TransportConfiguration
    let trust: TrustSource
    /// Whether a proxy makes the connection, so that its address says nothing about the host's.
    let usesProxy: Bool
    var collector: ResponseCollector
    var handshake: HandshakeRecord?
    var refusedAddress: (address: String, rule: String)?
    var trustFailure: TransportFailure.Cause.Unreadable?
    /// The targets of other clients' connections that this one may not use; `nil` if there are no others.
    var privateHosts: PrivateHosts?
    private let continuation: MultiEngine.Continuation
    private let startedAt: Double
    /// How often the request was sent.
    private(set) var sends = 0
    private let errorText: UnsafeMutablePointer<CChar>
    private var lists: [UnsafeMutablePointer<curl_slist>] = []

    init(
        _ identifier: UInt64,
        _ request: HTTPRequest,
        _ configuration: TransportConfiguration,
        _ trust: TrustSource,
        _ continuation: MultiEngine.Continuation
    ) throws(Refused) {
        let url = try request.usableURL()
        guard let easy = curl_easy_init() else {
            throw Refused(cause: .other(code: Int(CURLE_OUT_OF_MEMORY.rawValue), text: "libcurl has no memory"))
        }
        self.identifier = identifier
        self.easy = easy
        self.url = url
        self.request = request
        self.configuration = configuration
        self.trust = trust
        self.continuation = continuation
        let proxy = try Self.proxy(for: url, request, configuration)
        usesProxy = proxy != nil
        collector = ResponseCollector(headerLimit: configuration.headerLimit, bodyLimit: configuration.bodyLimit)
        startedAt = WallClock.now
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        setBounds()
        setTarget(proxy: proxy)
        setMessage()
        setCallbacks()
    }

    deinit {
        curl_easy_cleanup(easy)
        for list in lists { curl_slist_free_all(list) }
        errorText.deallocate()
    }

    /// Uses connections that other clients opened, and waits for one that is being opened where HTTP/2 may go over it.
    ///
    /// Whose target did not name the host makes a connection of its own where an earlier one leads to a private address: the
    /// address policy checks addresses when a connection is made.
    func share(_ places: PrivateHosts) {
        privateHosts = places
        preflight_curl_set_long(easy, CURLOPT_PIPEWAIT, 1)
        if places.contains(url), !configuration.addressPolicy.allowsAnyAddress(for: url.host) {
            preflight_curl_set_long(easy, CURLOPT_FRESH_CONNECT, 1)
        }
    }

    /// Whether the request changes nothing, so that a lost one may be sent again (RFC 9110 section 9.2.2).
    var mayBeRepeated: Bool { ["GET", "HEAD"].contains(request.method) }

    /// Whether the request may be sent on the connection that libcurl has for it.
    ///
    /// libcurl sends a request again, up to five times and whatever its method, if its connection had served others and ends
    /// without a response. One that may change something is sent once. Others are sent twice, the second time over a new
    /// connection.
    func maySend() -> Bool {
        let isOverNewConnection = preflight_curl_get_long(easy, CURLINFO_NUM_CONNECTS) > 0
        guard sends == 0 || sends == 1 && mayBeRepeated && isOverNewConnection else { return false }
        sends += 1
        return true
    }

    /// Makes the transfer ready for a new connection if its request was lost on one that had served others before; false
    /// when it has ended.
    ///
    /// A server that closes a resting connection at the moment of the next request says nothing about that request. libcurl
    /// leaves this to us for HTTP/2, and when ``maySend()`` has refused another used connection.
    func prepareAgain(after result: CURLcode) -> Bool {
        guard result.isLoss, sends == 1, collector.response == nil, mayBeRepeated,
            preflight_curl_get_long(easy, CURLINFO_NUM_CONNECTS) == 0
        else { return false }
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        preflight_curl_set_long(easy, CURLOPT_FRESH_CONNECT, 1)
        return true
    }

    /// Answers the caller with libcurl's result.
    func finish(result: CURLcode) {
        // The connection of a transfer without a response is gone; its own handshake is still in `handshake`.
        let cause = failureCause(result, text: lastErrorText)
        if cause == nil, let socketHolder = request.socket { keepConnection(in: socketHolder) }
        finish(cause: cause)
    }

    /// Answers the caller.
    func finish(cause: TransportFailure.Cause?) {
        if cause != nil { collector.markTruncated() }
        let address = preflight_curl_get_string(easy, CURLINFO_PRIMARY_IP).map { String(cString: $0) } ?? ""
        let port = preflight_curl_get_long(easy, CURLINFO_PRIMARY_PORT)
        let exchange = HTTPExchange(
            request: request,
            response: collector.response,
            failure: cause.map { TransportFailure(step: step(of: $0), host: url.hostAndPort, cause: $0) },
            timings: timings,
            peer: address.isEmpty ? nil : Peer(address: address, port: port),
            tls: handshake?.facts(hostMatched: hostMatched(cause)),
            startedAt: startedAt,
            reusedConnection: collector.response != nil && preflight_curl_get_long(easy, CURLINFO_NUM_CONNECTS) == 0
        )
        continuation.resume(returning: exchange)
    }

    var timings: Timings {
        func seconds(_ information: CURLINFO) -> Double { Double(preflight_curl_get_size(easy, information)) / 1e6 }
        return Timings(
            nameLookup: seconds(CURLINFO_NAMELOOKUP_TIME_T),
            connect: seconds(CURLINFO_CONNECT_TIME_T),
            tls: seconds(CURLINFO_APPCONNECT_TIME_T),
            firstByte: seconds(CURLINFO_STARTTRANSFER_TIME_T),
            total: seconds(CURLINFO_TOTAL_TIME_T)
        )
    }

    /// Seconds for the whole exchange: the client's, or what is left of a run.
    var totalTimeout: Double { min(configuration.totalTimeout, request.secondsLeft ?? .infinity) }

    private var lastErrorText: String { String(cString: errorText) }

    /// Whether the certificate is for this host: libcurl looks at that after the chain was found good.
    private func hostMatched(_ cause: TransportFailure.Cause?) -> Bool? {
        switch cause {
        case .certificateRefused(.wrongHost): false
        case .certificateRefused: nil
        default: timings.tls > 0 || collector.response != nil ? true : nil
        }
    }

    private func setBounds() {
        preflight_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        // A transfer that ends during a slow name look-up does not delay the others until the look-up is over.
        preflight_curl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
        preflight_curl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        preflight_curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        preflight_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(configuration.connectTimeout))
        preflight_curl_set_long(easy, CURLOPT_TIMEOUT_MS, Self.milliseconds(totalTimeout))
        preflight_curl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1)
        preflight_curl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2)
        // The trust comes from `TrustStore`; libcurl gets no file, so that it does not parse the bundle again.
        preflight_curl_set_string(easy, CURLOPT_CAINFO, nil)
        preflight_curl_set_string(easy, CURLOPT_CAPATH, nil)
        // A resumed session shows no certificates: every connection is to make a whole handshake.
        preflight_curl_set_long(easy, CURLOPT_SSL_SESSIONID_CACHE, 0)
        // libcurl counts whole seconds that have passed: 1 is less than two of them.
        preflight_curl_set_long(easy, CURLOPT_MAXAGE_CONN, max(1, configuration.longestRest - 1))
        preflight_curl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // The coding that most clients request; libcurl decodes others as well.
        preflight_curl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "gzip")
        switch request.agent {
        case .own: preflight_curl_set_string(easy, CURLOPT_USERAGENT, configuration.userAgent)
        case .other(let agent): preflight_curl_set_string(easy, CURLOPT_USERAGENT, agent)
        case .none: preflight_curl_set_string(easy, CURLOPT_USERAGENT, nil)
        }
        preflight_curl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        preflight_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
    }

    private func setTarget(proxy: String?) {
        preflight_curl_set_string(easy, CURLOPT_URL, request.url)
        // An empty string, unlike no value, keeps libcurl from reading the environment itself.
        preflight_curl_set_string(easy, CURLOPT_PROXY, proxy ?? "")
        setList(CURLOPT_RESOLVE, HostOverride.entries(configuration.resolve))
        if request.socket != nil {
            preflight_curl_set_long(easy, CURLOPT_CONNECT_ONLY, 1)
            preflight_curl_set_long(easy, CURLOPT_HTTPPROXYTUNNEL, 1)
        }
        // Unlike an entry for the name, which all transfers of the engine would see, this is for the one transfer.
        let url = WebURL(request.url)
        let connections = HostOverride.connections(
            configuration.resolve,
            boundTo: request.address,
            host: url?.host ?? "",
            port: url?.effectivePort ?? 0
        )
        if !connections.isEmpty { setList(CURLOPT_CONNECT_TO, connections) }
    }

    private func setMessage() {
        switch (request.method, request.body) {
        case ("GET", nil): preflight_curl_set_long(easy, CURLOPT_HTTPGET, 1)
        case ("HEAD", nil): preflight_curl_set_long(easy, CURLOPT_NOBODY, 1)
        case ("POST", nil): setBody([])
        case ("POST", .some(let body)): setBody(body)
        default:
            if let body = request.body { setBody(body) }
            preflight_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method)
        }
        var lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        // libcurl would wait for "100 Continue", and would name a type for a body that has none.
        lines.append("Expect:")
        if request.body != nil, !request.headers.contains(where: { $0.isNamed("content-type") }) {
            lines.append("Content-Type:")
        }
        setList(CURLOPT_HTTPHEADER, lines)
    }

    private func setBody(_ body: [UInt8]) {
        preflight_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        var copy = body
        copy.withUnsafeMutableBytes { bytes in
            // Copied by libcurl in this call; an empty body still needs an address.
            var nothing: UInt8 = 0
            withUnsafeMutablePointer(to: &nothing) { empty in
                _ = preflight_curl_set_pointer(
                    easy,
                    CURLOPT_COPYPOSTFIELDS,
                    bytes.baseAddress ?? UnsafeMutableRawPointer(empty)
                )
            }
        }
    }

    private func setList(_ option: CURLoption, _ lines: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines { list = curl_slist_append(list, line) ?? list }
        guard let list else { return }
        lists.append(list)
        preflight_curl_set_list(easy, option, list)
    }

    private static func milliseconds(_ seconds: Double) -> Int {
        Int(min(max(seconds * 1000, 1), Double(Int32.max)))
    }
}
