package import Conformance

/// A provider that runs to be judged in a demonstration: what it says of itself, as one line of JSON, when it answers.
///
/// Its secrets are made up for loopback and public knowledge; the reader keeps them as secrets all the same.
package struct ProviderOnShow: Sendable, Codable {
    /// A fault that it was given.
    package struct Fault: Sendable, Codable {
        /// What is wrong, as a person would say it.
        package var title: String
        /// The checks that must fail.
        package var checks: [CheckID]

        package init(title: String, checks: [CheckID]) {
            self.title = title
            self.checks = checks
        }
    }

    /// Name and version of the provider's program: the other side must be the same.
    package var tool: String
    package var port: Int
    package var certificateAuthorityPEM: String
    /// What one configures to judge it, the changes of faults included.
    package var target: Target
    package var profile: String
    package var username: String
    package var password: String
    /// By client.
    package var clientSecrets: [String: String]
    /// By client, in PEM.
    package var clientKeys: [String: String]
    package var initialAccessToken: String?
    /// The host name that the issuer states, where it is not the address that is listened on.
    package var hostName: String?
    package var addresses: [String]
    /// The checks whose advice a correct provider of this kind does not follow.
    package var remarks: [CheckID]
    /// The checks that close the gate to this kind without any fault.
    package var failures: [CheckID]
    package var faults: [Fault]
    /// Whether there are faults to show with this kind.
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
        remarks: [CheckID],
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
        self.remarks = remarks
        self.failures = failures
        self.faults = faults
        self.canShowFaults = canShowFaults
    }
}
