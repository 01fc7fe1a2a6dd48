/// Every fault, stage by stage in the catalogue's order.
extension Fault {
    package static let all: [Fault] =
        discovery + keys + transport + authorization + token + idToken + userInfo + revocation + introspection
        + registration + logout + platform

    // One list for each folder of the catalogue; the other stages have a file of that name.
    package static let discovery: [Fault] =
        discoveryResponse + discoveryEverywhere + discoveryIssuer + requiredMembers + memberTypes + endpointURLs
        + discoveryAlgorithms + registeredNames + discoveryTarget + memberNames
    package static let keys: [Fault] =
        keySetResponse + keysEverywhere + keyChoice + keyUse + keyMaterial + keyCertificates
    static let authorization: [Fault] =
        authorizationResponses + authorizationRequests + sessions + requestObjects
        + redirectURIVariations + repeatedParameters + malformedValues + formPosts + unusualRequests
    package static let token: [Fault] =
        tokenResponses + tokenErrors + tokenRequests + codes + verifiers + clientProofs + refreshTokens + assertions
        + signedAssertions
    static let idToken: [Fault] =
        idTokenForms + idTokenClaims + idTokenTimes + idTokenScopes + sessionTokens + hybrids + registeredTokens
    static let revocation: [Fault] = revocationRequests + revocationEffects
    static let introspection: [Fault] = introspectionAccess + introspectionAnswers
    static let platform: [Fault] =
        firebase + firebaseAccounts + microsoft + yahoo + gitHub + twitter + spa + rules + world
}
