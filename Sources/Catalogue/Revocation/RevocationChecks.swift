package import Conformance

/// The checks of this stage, subject by subject.
package enum RevocationChecks {
    package static let all: [Check] = RevocationRequestChecks.all + RevocationEffectChecks.all
}
