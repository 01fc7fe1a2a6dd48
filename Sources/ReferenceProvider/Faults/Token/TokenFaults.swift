/// The faults that mirror `Catalogue/Token`.
extension Fault {
    package static let token: [Fault] =
        tokenResponses + tokenErrors + tokenRequests + codes + verifiers + clientProofs + refreshTokens + assertions
        + signedAssertions
}
