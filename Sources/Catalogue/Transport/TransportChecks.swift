package import Conformance

/// All checks of this stage.
package enum TransportChecks {
    package static let all: [Check] =
        CertificateChecks.all + HostChecks.all + ServerErrorChecks.all + AddressChecks.all + HeadChecks.all
}
