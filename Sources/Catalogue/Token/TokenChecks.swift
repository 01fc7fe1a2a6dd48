package import Conformance

/// All checks of the token endpoint.
package enum TokenChecks {
    package static let all: [Check] =
        TokenResponseChecks.all + TokenMemberChecks.all + TokenScopeChecks.all + ClientAuthenticationChecks.all
        + TokenErrorChecks.all + TokenGuessingChecks.all + TokenRequestChecks.all + TokenWritingChecks.all
        + CodeChecks.all + VerifierChecks.all + ClientProofChecks.all + RefreshChecks.all + RefreshIDTokenChecks.all
        + RefreshTokenChecks.all + RefreshMetadataChecks.all + AssertionChecks.all + SignedAssertionChecks.all
}
