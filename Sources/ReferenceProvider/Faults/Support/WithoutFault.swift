package import Conformance

extension Fault {
    /// Checks that no fault of this provider can trip, and why; unit tests judge them with evidence made by hand.
    package static let withoutFault: [CheckID: String] = [
        "idtoken.subject-claims.are-present":
            "no built-in profile identifies users by other claims than sub, so the check is exempt in the matrix"
    ]
}
