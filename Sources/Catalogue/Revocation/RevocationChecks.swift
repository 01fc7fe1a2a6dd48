package import Conformance

/// All checks of the revocation endpoint.
package enum RevocationChecks {
    package static let all: [Check] = RevocationRequestChecks.all + RevocationEffectChecks.all
}
