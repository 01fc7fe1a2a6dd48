package import Conformance

/// The checks of this stage, subject by subject.
package enum IDTokenChecks {
    package static let all: [Check] = []
}
