import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The addresses of a host, for asking each of them.
package enum HostAddresses: Sendable, Hashable {
    /// The host is an address, a name of this machine, or answered in this process: there is nothing to choose from.
    case itself
    /// In the order of families, then of texts; never empty.
    case known([String])
    case unknown(String)
}

extension HTTPClient {
    /// The addresses of a URL's host: those that replace the name service's, else what the name service says.
    package func addresses(of url: WebURL) async -> HostAddresses {
        let host = url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host
        if !leavesProcess || url.isLoopback || AddressLookup.isAddress(host) { return .itself }
        if configuration.proxy.proxy(for: url) != nil {
            return .unknown("a proxy connects to \(url.host), and chooses the address")
        }
        let overrides = configuration.resolve.filter { $0.host.lowercased() == host && $0.port == url.effectivePort }
        if !overrides.isEmpty { return .known(AddressLookup.sorted(overrides.flatMap(\.addresses))) }
        let found = await AddressLookup.lookUp(host, seconds: configuration.connectTimeout)
        return found.isEmpty ? .unknown("the addresses of \(host) could not be looked up") : .known(found)
    }

    /// Whether this machine has a route to an address: without IPv6 here nothing can be said of a host's IPv6 addresses.
    package func hasRoute(to address: String) -> Bool { AddressLookup.hasRoute(to: address) }
}

/// The name service, asked without holding up any task.
enum AddressLookup {
    /// Resumes one caller, with the first result: the thread's, or the time limit.
    private final class Answer: Sendable {
        private let continuation: Mutex<CheckedContinuation<[String], Never>?>

        init(_ continuation: CheckedContinuation<[String], Never>) {
            self.continuation = Mutex(continuation)
        }

        func give(_ addresses: [String]) {
            let waiting = continuation.withLock { stored in
                defer { stored = nil }
                return stored
            }
            waiting?.resume(returning: addresses)
        }
    }

    private final class Question: Sendable {
        let host: String
        let answer: Answer

        init(_ host: String, _ answer: Answer) {
            self.host = host
            self.answer = answer
        }
    }

    /// All addresses of a name; empty when there are none, or not within that time.
    static func lookUp(_ host: String, seconds: Double) async -> [String] {
        await withCheckedContinuation { continuation in
            let answer = Answer(continuation)
            guard launch(Question(host, answer)) else {
                answer.give([])
                return
            }
            Task {
                try? await Task.sleep(for: .seconds(seconds))
                answer.give([])
            }
        }
    }

    /// `getaddrinfo` waits as long as it likes, so it has a thread of its own.
    private static func launch(_ question: Question) -> Bool {
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer { pthread_attr_destroy(&attributes) }
        let reference = Unmanaged.passRetained(question)
        let result = pthread_create(
            &thread,
            &attributes,
            { argument in
                guard let argument else { return nil }
                let question = Unmanaged<Question>.fromOpaque(argument).takeRetainedValue()
                question.answer.give(AddressLookup.addresses(of: question.host))
                return nil
            },
            reference.toOpaque()
        )
        if result != 0 { reference.release() }
        return result == 0
    }

    private static func addresses(of host: String) -> [String] {
        var found: [String] = []
        forEachAddress(of: host, numeric: false) { place, length in
            if let text = text(of: place, length) { found.append(text) }
        }
        return sorted(found)
    }

    /// Without repetitions, IPv4 first: the order of the name service changes from one question to the next.
    static func sorted(_ addresses: [String]) -> [String] {
        Set(addresses).sorted { ($0.contains(":") ? 1 : 0, $0) < ($1.contains(":") ? 1 : 0, $1) }
    }

    /// The 4 or 16 bytes of a host that is an address, in any notation; `nil` for a name.
    static func bytes(of host: String) -> [UInt8]? {
        var bytes: [UInt8]?
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        forEachAddress(of: bare, numeric: true) { place, _ in
            let address = UnsafeRawPointer(place)
            switch Int32(place.pointee.sa_family) {
            case AF_INET:
                bytes = withUnsafeBytes(of: address.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
            case AF_INET6:
                bytes = withUnsafeBytes(of: address.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
            default: break
            }
        }
        return bytes
    }

    static func isAddress(_ host: String) -> Bool {
        var isAddress = false
        forEachAddress(of: host, numeric: true) { _, _ in isAddress = true }
        return isAddress
    }

    /// Asks the routing table: to connect a datagram socket sends nothing.
    static func hasRoute(to address: String) -> Bool {
        var isReachable = false
        forEachAddress(of: address, numeric: true) { place, length in
            let probe = socket(Int32(place.pointee.sa_family), datagram, 0)
            guard probe >= 0 else { return }
            isReachable = isReachable || connect(probe, place, length) == 0
            close(probe)
        }
        return isReachable
    }

    private static func forEachAddress(
        of host: String,
        numeric: Bool,
        _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Void
    ) {
        var hints = addrinfo()
        hints.ai_socktype = stream
        hints.ai_flags = numeric ? AI_NUMERICHOST : 0
        var first: UnsafeMutablePointer<addrinfo>?
        // A port is named, because a datagram socket is not connected to none.
        guard getaddrinfo(host, "443", &hints, &first) == 0 else { return }
        defer { freeaddrinfo(first) }
        var next = first
        while let entry = next {
            if let place = entry.pointee.ai_addr { body(place, entry.pointee.ai_addrlen) }
            next = entry.pointee.ai_next
        }
    }

    private static func text(of place: UnsafeMutablePointer<sockaddr>, _ length: socklen_t) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let result = getnameinfo(place, length, &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST)
        guard result == 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let datagram = Int32(SOCK_DGRAM.rawValue)
    #else
    private static let stream = SOCK_STREAM
    private static let datagram = SOCK_DGRAM
    #endif
}
