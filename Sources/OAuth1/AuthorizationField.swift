package import Conformance

/// Protocol parameters in the `Authorization` field of a request (RFC 5849 section 3.5.1).
package enum AuthorizationField {
    /// `OAuth oauth_consumer_key="…", …`, in the order given.
    package static func text(_ parameters: [Field]) -> String {
        "OAuth "
            + parameters.map { "\(ParameterEncoding.encode($0.name))=\"\(ParameterEncoding.encode($0.value))\"" }
            .joined(separator: ", ")
    }

    /// The parameters of a field, decoded and without `realm`.
    ///
    /// - Returns: `nil` when the scheme is another, or a parameter is not written as the section says.
    package static func parameters(of value: String) -> [Field]? {
        let parts = value.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        guard parts.first?.lowercased() == "oauth" else { return nil }
        var parameters: [Field] = []
        // An encoded value contains no comma; the realm is the only exception, and no server here sets it.
        for part in (parts.count > 1 ? parts[1] : "").split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { return nil }
            let name = String(pair[0]).trimmingASCIISpace
            let quoted = String(pair[1]).trimmingASCIISpace
            guard quoted.count >= 2, quoted.hasPrefix("\""), quoted.hasSuffix("\"") else { return nil }
            if name.lowercased() == "realm" { continue }
            guard let decodedName = ParameterEncoding.decode(name),
                let decoded = ParameterEncoding.decode(quoted.dropFirst().dropLast())
            else { return nil }
            parameters.append(Field(decodedName, decoded))
        }
        return parameters
    }
}
