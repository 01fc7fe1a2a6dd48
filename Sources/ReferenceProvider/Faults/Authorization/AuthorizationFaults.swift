/// The faults that mirror `Catalogue/Authorization`.
extension Fault {
    package static let authorization: [Fault] =
        authorizationResponses + authorizationRequests + sessions
        + redirectURIVariations + repeatedParameters + formPosts + unusualRequests
}
