package import Conformance

/// The checks of this stage, subject by subject.
package enum TokenChecks {
    package static let all: [Check] =
        TokenResponseChecks.all + TokenMemberChecks.all + TokenScopeChecks.all + ClientAuthenticationChecks.all
        + TokenErrorChecks.all + TokenGuessingChecks.all + TokenRequestChecks.all + TokenWritingChecks.all
        + CodeChecks.all
        + VerifierChecks.all + ClientProofChecks.all + RefreshChecks.all + RefreshIDTokenChecks.all
        + RefreshTokenChecks.all + RefreshMetadataChecks.all + AssertionChecks.all + SignedAssertionChecks.all
}
