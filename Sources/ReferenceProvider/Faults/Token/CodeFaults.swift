import Conformance

/// Faults in the life of authorization codes.
extension Fault {
    static let codes: [Fault] = [
        .provider("token.code.is-single-use", "a code opens twice") { seams in
            seams.tokenError = { _, error in error?.text == "it was used before" ? nil : error }
        }
    ]
}
