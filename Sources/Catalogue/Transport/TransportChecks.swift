package import Conformance

/// The checks of this stage, subject by subject.
package enum TransportChecks {
    package static let all: [Check] =
        CertificateChecks.all + HostChecks.all + ServerErrorChecks.all + AddressChecks.all
}
