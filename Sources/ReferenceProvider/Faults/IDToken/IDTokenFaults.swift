/// The faults that mirror `Catalogue/IDToken`.
extension Fault {
    package static let idToken: [Fault] =
        idTokenForms + idTokenClaims + idTokenTimes + idTokenScopes + sessionTokens + hybrids + registeredTokens
}
