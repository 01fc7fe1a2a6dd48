package import Conformance

/// A running provider of a demonstration, which describes itself in one line of JSON.
///
/// Its secrets are public and valid only on loopback; the reader treats them as secrets anyway.
package struct RunningProvider: Sendable, Codable {
    /// A fault of the provider.
    package struct Fault: Sendable, Codable {
        /// A short description for the user.
        package var title: String
        /// The checks that must fail.
        package var checks: [CheckID]

        package init(title: String, checks: [CheckID]) {
            self.title = title
            self.checks = checks
        }
    }

    /// Name and version of the provider program, which must match the main program.
    package var tool: String
    package var port: Int
    package var certificateAuthorityPEM: String
    /// The target for checking it, including changes by the faults.
    package var target: Target
    package var profile: String
    package var username: String
    package var password: String
    /// By client.
    package var clientSecrets: [String: String]
    /// By client, in PEM.
    package var clientKeys: [String: String]
    package var initialAccessToken: String?
    /// The host name of the issuer, if it differs from the listening address.
    package var hostName: String?
    package var addresses: [String]
    /// The checks that find warnings or notices in a correct provider of this kind.
    package var expectedWarnings: [CheckID]
    /// The checks that close the gate for this kind without any fault.
    package var failures: [CheckID]
    package var faults: [Fault]
    /// Whether the demonstration has faults for this kind.
    package var canShowFaults: Bool

    package init(
        tool: String,
        port: Int,
        certificateAuthorityPEM: String,
        target: Target,
        profile: String,
        username: String,
        password: String,
        clientSecrets: [String: String],
        clientKeys: [String: String],
        initialAccessToken: String?,
        hostName: String?,
        addresses: [String],
        expectedWarnings: [CheckID],
        failures: [CheckID],
        faults: [Fault],
        canShowFaults: Bool
    ) {
        self.tool = tool
        self.port = port
        self.certificateAuthorityPEM = certificateAuthorityPEM
        self.target = target
        self.profile = profile
        self.username = username
        self.password = password
        self.clientSecrets = clientSecrets
        self.clientKeys = clientKeys
        self.initialAccessToken = initialAccessToken
        self.hostName = hostName
        self.addresses = addresses
        self.expectedWarnings = expectedWarnings
        self.failures = failures
        self.faults = faults
        self.canShowFaults = canShowFaults
    }
}
