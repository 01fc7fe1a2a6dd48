package import Conformance

/// The checks of this stage, subject by subject.
package enum AuthorizationChecks {
    package static let all: [Check] = []
}
