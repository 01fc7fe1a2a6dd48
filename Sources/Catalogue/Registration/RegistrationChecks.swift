package import Conformance

/// The checks of this stage, subject by subject.
package enum RegistrationChecks {
    package static let all: [Check] = []
}
