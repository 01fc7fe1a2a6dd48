import Conformance
import Flows

/// Hints from secret values of the configuration, which are not part of the evidence.
extension Configuration {
    /// The cause, with a hint about white space at the end of the rejected value.
    ///
    /// It is rarely intended, and editors do not show it.
    func hinting(_ cause: Cause) -> Cause {
        var cause = cause
        let suspects = refused(by: cause).filter { $0.value.last?.isWhitespace == true }
        for suspect in suspects { cause.advice += " \(suspect.name) ends with \(Self.ending(of: suspect.value))." }
        return cause
    }

    /// The names and values that may have caused the rejection.
    private func refused(by cause: Cause) -> [(name: String, value: String)] {
        let clients = target.allClients
        switch cause.signInStep {
        case .clientAuthentication:
            return clients.compactMap { client in
                let name = client.id == target.client?.id ? "The client secret" : "The secret of \(client.id.quoted)"
                return secrets.clientSecrets[client.id].map { (name, $0.reveal()) }
            } + clients.map { ("client.id \($0.id.quoted)", $0.id) }
        case .signIn where cause.isRefusedPassword:
            return [
                secrets.username.map { ("sign_in.username", $0) },
                secrets.password.map { ("The password", $0.reveal()) },
            ]
            .compactMap(\.self)
        case .authorizationRequest:
            let redirectURI = target.redirectURI.map { [("redirect_uri", $0)] } ?? []
            return clients.map { ("client.id \($0.id.quoted)", $0.id) } + redirectURI
        case .discovery, .keys, .signIn, .codeRedemption, .idToken, .userInfo, .limit: return []
        }
    }

    private static func ending(of text: String) -> String {
        text.last?.isNewline == true ? "a line break" : "a space"
    }
}
