/// The faults that mirror `Catalogue/IDToken`.
extension Fault {
    static let idToken: [Fault] =
        idTokenForms + idTokenClaims + idTokenTimes + idTokenScopes + sessionTokens + hybrids + registeredTokens
}
