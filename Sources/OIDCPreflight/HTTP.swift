internal import Conformance
internal import Console
internal import Preflight
internal import Profiles
internal import Transport

extension Preflight {
    /// How requests reach the provider.
    public struct HTTP: Sendable {
        private enum Way: Sendable {
            case network(authorities: String?, connectTo: [String])
            case inMemory(origins: [String], Application)
        }

        /// An application, which is called concurrently.
        public typealias Application = @Sendable (Request) async throws -> Response

        private let way: Way

        /// Over the network.
        public static let libcurl = HTTP(way: .network(authorities: nil, connectTo: []))

        /// Over the network, with another server address or a private certificate authority.
        ///
        /// - Parameters:
        ///   - file: A PEM file with certificate authorities to trust in addition to the system's.
        ///   - places: `HOST:PORT:ADDRESS:PORT`, such as `idp.example.com:443:127.0.0.1:8443`.
        public static func libcurl(trusting file: String? = nil, connectingTo places: [String] = []) -> HTTP {
            HTTP(way: .network(authorities: file, connectTo: places))
        }

        /// By calls to an application in this process, without a socket.
        ///
        /// Cookies, redirects and forms work as over the network. Checks of TLS, certificates, addresses and reverse proxies are skipped.
        /// Requests to other origins than the issuer's fail like requests to an unreachable host.
        ///
        /// - Parameters:
        ///   - origins: Further origins that the application serves, besides the issuer's: `https://keys.example.com`.
        ///   - application: Returns the response to a request; a thrown error counts as a lost connection.
        public static func inMemory(origins: [String] = [], _ application: @escaping Application) -> HTTP {
            HTTP(way: .inMemory(origins: origins, application))
        }

        func configure(_ configuration: inout Configuration) throws(ConfigurationError) {
            switch way {
            case .network(let authorities, let places):
                try configuration.route(
                    caFile: authorities,
                    resolve: [],
                    connectTo: places,
                    problem: environment.problem(ofAuthorities:)
                )
            case .inMemory(let origins, let application):
                var known: Set<String> = []
                for text in [configuration.target.issuer] + origins {
                    guard let url = WebURL(text) else {
                        throw ConfigurationError(file: "inMemory(origins:)", "\(text.quoted) is not an address")
                    }
                    known.insert(url.origin)
                }
                configuration.way = .inMemory(known) { request in
                    try await application(Request(request)).transported
                }
            }
        }

        /// A run reads no variables, and only files named in the program.
        var environment: Environment {
            Environment(variable: { _ in nil }, readFile: { Files.read($0, as: $1) })
        }
    }

    /// A request to an application in this process.
    public struct Request: Sendable, Hashable {
        /// The method: `GET`, `POST`.
        public var method: String
        /// The complete URL: `https://idp.example.com/authorize?client_id=web`.
        public var url: String
        /// The path, with percent-encoding; `/` if there is none.
        public var path: String
        /// The query, with percent-encoding; `nil` if there is none.
        public var query: String?
        /// In the order in which they are sent, `Host` among them.
        public var headers: [Header]
        /// The body; empty if there is none.
        public var body: [UInt8]

        init(_ request: HTTPRequest) {
            let url = WebURL(request.url)
            method = request.method
            self.url = request.url
            path = url?.path ?? "/"
            query = url?.query
            headers = request.headers.map { Header($0.name, $0.value) }
            body = request.body ?? []
        }

        /// The first value of the header with that name, ignoring case.
        public func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }

        /// The parameters of the query, decoded.
        public var queryParameters: [Header] { Self.parameters(query ?? "") }

        /// The parameters of a form in the body, decoded; empty if the body is not a form.
        public var formParameters: [Header] {
            let isForm = header("Content-Type")?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
            return isForm ? Self.parameters(String(decoding: body, as: UTF8.self)) : []
        }

        private static func parameters(_ text: String) -> [Header] {
            FormParameters(parsing: text).items.map { Header($0.name, $0.value) }
        }
    }

    /// The response of an application.
    public struct Response: Sendable, Hashable {
        /// From 200 to 599.
        public var status: Int
        /// In the order in which they are sent, including repetitions.
        public var headers: [Header]
        /// Without a content coding.
        public var body: [UInt8]

        /// Creates a response.
        public init(status: Int = 200, headers: [Header] = [], body: [UInt8] = []) {
            self.status = status
            self.headers = headers
            self.body = body
        }

        var transported: HTTPResponse {
            HTTPResponse(
                status: status,
                headers: headers.map { HTTPField(name: $0.name, value: $0.value) },
                body: body
            )
        }
    }

    /// A name and its value: a header of a message, or a parameter of a form.
    public struct Header: Sendable, Hashable {
        /// The name, with its letter case.
        public var name: String
        /// The value.
        public var value: String

        /// A name with its value.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}
