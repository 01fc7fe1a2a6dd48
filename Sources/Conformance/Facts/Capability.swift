import JSONTree

/// A capability that a provider may offer, and a run may use.
package enum Capability: Sendable, Hashable {
    /// A user signs in, and the client gets the artefacts of the response type.
    case responseType(ResponseType)
    /// A code is redeemed by a client that proves itself in this way.
    case authentication(ClientAuthentication)
    /// A token response says that the scope was granted, by its `scope` or by having none (RFC 6749 section 5.1).
    case scope(String)
    /// An ID Token or a UserInfo response contains the claim.
    case claim(String)
}

extension Facts {
    /// Whether the run did it in an ordinary flow: what was tried outranks what is listed.
    ///
    /// A list that omits a working capability is a separate finding; then no other finding says that it cannot work.
    package func hasWorked(_ capability: Capability) -> Bool {
        switch capability {
        case .responseType(let type): arrivals.contains { $0.run.responseType == type }
        case .authentication(let method):
            arrivals.contains { arrival in
                arrival.token != nil && target.client(for: arrival.run.responseType)?.authentication == method
            }
        case .scope(let scope):
            arrivals.contains { arrival in
                guard let token = arrival.token else { return false }
                let granted = json(of: token)?["scope"]?.stringValue ?? arrival.run.sentParameter("scope")
                return granted?.split(separator: " ").contains { $0 == scope } ?? false
            }
        case .claim(let name): claimsThatArrived.contains { $0.has(name) }
        }
    }

    /// The configured flows that ended as they should.
    private var arrivals: [CompletedSignIn] { target.flows.compactMap { evidence.arrival(by: $0).value } }

    private var claimsThatArrived: [JSONObject] {
        arrivals.flatMap { arrival in
            let tokens = arrival.run.steps.compactMap(\.idToken).compactMap { decoded($0).value?.claims }
            return tokens + [arrival.run.userInfo.value.flatMap { json(of: $0)?.objectValue }].compactMap(\.self)
        }
    }
}
