/// The faults that mirror `Catalogue/Authorization`.
extension Fault {
    static let authorization: [Fault] =
        authorizationResponses + authorizationRequests + sessions + requestObjects
        + redirectURIVariations + repeatedParameters + malformedValues + formPosts + unusualRequests
}
