package import Conformance

/// The checks of this stage, subject by subject.
package enum DiscoveryChecks {
    package static let all: [Check] = []
}
