package import Conformance

/// A `preflight.yaml` as read: what is to be judged, and how to sign in.
package struct Configuration: Sendable {
    package var target: Target
    /// Name or file of the profile; `nil` when the file names none.
    package var profile: String?
    package var secrets = ConfiguredSecrets()
    package var steps: [ConfiguredStep] = []
    package var waivers: [Waiver] = []
    package var network = NetworkOptions()

    package init(target: Target) {
        self.target = target
    }

    /// The highest tier that the configuration has the means for.
    package var highestTier: Tier {
        guard target.client != nil, target.redirectURI != nil else { return .static }
        return secrets.username == nil || target.flows.isEmpty ? .unauthenticated : .full
    }
}

/// The secrets of a run; they never enter the target, the plan or a report.
package struct ConfiguredSecrets: Sendable {
    /// By client identifier.
    package var clientSecrets: [String: Secret] = [:]
    package var username: String?
    package var password: Secret?

    package init() {}
}

/// One page of the sign-in, told by its fields.
package struct ConfiguredStep: Sendable, Hashable {
    /// The names of fields or buttons that the form has.
    package var formHas: [String]
    /// What to write into which field: a text, `{username}` or `{password}`.
    package var fill: [Field]
    /// The button to press, by name and value.
    package var press: [Field]

    package init(formHas: [String], fill: [Field], press: [Field]) {
        self.formHas = formHas
        self.fill = fill
        self.press = press
    }
}

/// Bounds and routes of the network.
package struct NetworkOptions: Sendable, Hashable {
    /// PEM file of authorities trusted besides the system's.
    package var certificateAuthorityFile: String?
    /// Seconds.
    package var connectTimeout = 10.0
    /// Seconds.
    package var totalTimeout = 30.0
    /// Bytes after decompression.
    package var bodyLimit = 1 << 20
    /// Bytes.
    package var headerLimit = 64 << 10
    /// `HOST:PORT:ADDRESS`: connect to this address instead of the one that the name resolves to.
    package var resolve: [HostAddress] = []
    /// Hosts that may have a private or loopback address though the issuer's host is another.
    package var allowedHosts: [String] = []

    package init() {}
}

/// A name that is not looked up but given.
package struct HostAddress: Sendable, Hashable {
    package var host: String
    package var port: Int
    package var address: String

    /// Reads `HOST:PORT:ADDRESS`, where an IPv6 address may stand in brackets; `nil` for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, !parts[0].isEmpty, let port = Int(parts[1]), (1...65_535).contains(port),
            !parts[2].isEmpty
        else { return nil }
        self.host = parts[0]
        self.port = port
        self.address = parts[2]
    }
}

/// The places that secrets and files come from; handed in, so that reading a configuration can be tested.
package struct Surroundings: Sendable {
    /// The value of an environment variable.
    package var environment: @Sendable (String) -> String?
    /// The octets of a file; `nil` with a reason when it cannot be read.
    package var readFile: @Sendable (String) -> Result<[UInt8], FileError>

    package init(
        environment: @escaping @Sendable (String) -> String?,
        readFile: @escaping @Sendable (String) -> Result<[UInt8], FileError>
    ) {
        self.environment = environment
        self.readFile = readFile
    }
}

/// Why a file could not be read or written.
package struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    package var path: String
    package var reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    package var description: String { "\(path): \(reason)" }
}
