import Conformance

extension Exchange.Response {
    /// Why an answer says nothing of what was asked: it asks for another time (RFC 9110 section 15.6.4, RFC 6585 section 4).
    ///
    /// `nil` for every other answer.
    var whyNotNow: String? {
        switch status {
        case 429: "the provider answered with “too many requests” (status 429)"
        case 503: "the provider answered that it is not available for now (status 503)"
        default: nil
        }
    }
}
