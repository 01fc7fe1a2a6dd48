import Conformance
import JSONTree
import Synchronization

/// Faults of the settings at the Firebase platform, and of its sign-ins.
extension Fault {
    static let firebaseAccounts: [Fault] = choices + accounts

    private static let choices: [Fault] = [
        // Nothing listens there; the configuration checks do not need a response.
        Fault(
            "platform.firebase.client.has-an-id",
            "the client ID is empty",
            configure: { target in
                target.issuer = "https://localhost:9"
                target.client?.id = ""
            }
        ),
        Fault(
            "platform.firebase.response-type.is-stated",
            "the registration states no response type",
            configure: { $0.registration.responseTypes = [] }
        ),
        Fault(
            "platform.firebase.response-type.is-code-when-offered",
            "id_token is registered although the provider offers code",
            configure: { target in
                target.registration.responseTypes = ["id_token"]
                var client = Client(id: RegisteredClient.confidential.id, authentication: .none, hasSecret: false)
                client.idTokenSignedResponseAlg = nil
                target.clients = [ResponseTypeClient(responseType: "id_token", client: client)]
            }
        ),
        Fault(
            "platform.firebase.client.has-no-secret-for-implicit",
            "a client secret is configured for the implicit flow",
            persona: .implicitOnly,
            configure: { $0.client?.hasSecret = true }
        ),
    ]

    private static let accounts: [Fault] = [
        .provider(
            "platform.firebase.id-token.nonce-is-not-invented",
            "the ID Token has a nonce although the request had none"
        ) {
            hooks in
            hooks.idTokenClaims = { claims, place in
                if place == .tokenEndpoint, !claims.has("nonce") { claims["nonce"] = "n-0S6_WzA2Mj" }
            }
            hooks.life.refreshedClaims = { $0["nonce"] = nil }
        },
        .provider("platform.firebase.email-verified.is-true", "email_verified at UserInfo is missing") {
            $0.setUserInfo("email_verified", nil)
        },
        .provider(
            "platform.firebase.email-verified.is-true",
            variant: "id-token",
            "email_verified in the ID Token is false",
            persona: .implicitOnly
        ) { $0.setClaim("email_verified", false) },
        .provider("platform.firebase.email-verified.is-not-careless", "email_verified at UserInfo is always true") {
            $0.changeUserInfo("email_verified", true)
        },
        .provider(
            "platform.firebase.email-verified.is-not-careless",
            variant: "id-token",
            "email_verified in the ID Token is always true",
            persona: .implicitOnly
        ) { $0.setClaim("email_verified", true) },
        .provider(
            "platform.firebase.scope.holds-nothing-more",
            "the scope phone is granted although it was not requested"
        ) { hooks in
            hooks.tokenResponse = { response in response.rewrite("scope") { $0 + " phone" } }
        },
        .provider("platform.firebase.duplicates.do-not-win", "a repeated state is accepted, and the last value is used")
        { hooks in
            let states = LastValues()
            hooks.authorizationError = { request, error in
                guard error?.rejection == .repeatedParameter("state") else { return error }
                states.note(request.all.filter { $0.name == "state" }.map(\.value))
                return nil
            }
            hooks.authorizationResponse = { response in
                if let last = response["state"].flatMap(states.last) { response["state"] = last }
            }
        },
        .provider(
            "platform.firebase.duplicates.do-not-win",
            variant: "nonce",
            "a repeated nonce is accepted, and the last value is used"
        ) {
            hooks in
            let nonces = LastValues()
            hooks.authorizationError = { request, error in
                guard error?.rejection == .repeatedParameter("nonce") else { return error }
                nonces.note(request.all.filter { $0.name == "nonce" }.map(\.value))
                return nil
            }
            hooks.idTokenClaims = { claims, _ in
                if let last = claims["nonce"]?.stringValue.flatMap(nonces.last) { claims["nonce"] = .string(last) }
            }
        },
        Fault(
            "platform.firebase.keys.hold-one-for-a-known-algorithm",
            "the platform accepts only ES256, and the only key is an RSA key",
            // Without flows, since a check of the ID Token would report it first.
            configure: { $0.flows = [] },
            demand: { $0.state(.tokenAlgorithms, ["ES256"], because: "it accepts only ES256", source: "the matrix") }
        ),
    ]
}

/// The last values of repeated parameters, keyed by the first value.
private final class LastValues: Sendable {
    private let values = Mutex<[String: String]>([:])

    func note(_ all: [String]) {
        guard let first = all.first, let last = all.last else { return }
        values.withLock { $0[first] = last }
    }

    func last(_ first: String) -> String? { values.withLock { $0[first] } }
}
