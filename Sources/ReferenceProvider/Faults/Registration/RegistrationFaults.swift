import Conformance
import JSONTree

/// The faults that mirror `Catalogue/Registration`.
extension Fault {
    package static let registration: [Fault] =
        registrationAnswers + clientCredentials + wrongRegistrations + registrationErrors + clientManagement
        + servedDocuments

    private static let registrationAnswers: [Fault] = [
        .provider("registration.client.is-accepted", "nobody is registered") { seams in
            seams.registration.error = { _, _ in "invalid_client_metadata" }
        },
        .provider("registration.ordinary-metadata.is-enough", "clients that name their scopes are refused") { seams in
            seams.registration.error = { metadata, error in
                metadata.has("scope")
                    ? OAuthError("insufficient_scope", "Not permitted to use specified clientScope") : error
            }
        },
        .provider(
            "registration.ordinary-metadata.is-enough",
            variant: "keys",
            "clients that name their scopes, or have no keys, are refused"
        ) { seams in
            seams.registration.error = { metadata, error in
                metadata.has("scope") || !metadata.has("jwks") ? "invalid_client_metadata" : error
            }
        },
        .special(
            "registration.response-types.are-served",
            "registered clients may use the response type code alone"
        ) { seams in
            seams.authorizationError = { request, error in
                let isRegistered = request["client_id"]?.hasPrefix("dynamic-") == true
                return isRegistered && request["response_type"] == "id_token" ? "unauthorized_client" : error
            }
        },
        .provider(
            "registration.client.missing-redirect-uri-is-refused",
            "where several redirect URIs are registered, the first is taken when none is sent"
        ) { seams in
            let usual = seams.parameters.redirectURI
            seams.parameters.redirectURI = { parameters, client in
                guard parameters.first("redirect_uri") == nil, client.redirectURIs.count > 1 else {
                    return usual(parameters, client)
                }
                return client.redirectURIs.first.map { (checked: $0, used: $0) }
            }
        },
        .special("registration.advertised-values.can-be-registered", "HS256 is listed and refused") { seams in
            seams.registration.error = { metadata, error in
                metadata["id_token_signed_response_alg"] == "HS256" ? "invalid_client_metadata" : error
            }
        },
        .registered("registration.status.is-201", "a registration is answered with 200") { $0.status = 200 },
        .registered("registration.content-type.is-json", "a registration is answered as text/plain") {
            $0.setHeader("Content-Type", "text/plain")
        },
        .registered("registration.cache-control.has-no-store", "client secrets may be stored") {
            $0.setHeader("Cache-Control", nil)
        },
        .answering("registration.client-id.is-present", "client_id is missing") { $0["client_id"] = nil },
        .answering("registration.redirect-uris.are-returned", "redirect_uris come back with a slash more") {
            $0["redirect_uris"] = .array(
                ($0["redirect_uris"]?.strings ?? []).map { .string($0 + "/") }
            )
        },
        .answering("registration.client-id-issued-at.is-a-number", "the time of registration is a string") {
            $0["client_id_issued_at"] = "1700000000"
        },
        .answering("registration.metadata.is-returned", "grant_types are not returned") { $0["grant_types"] = nil },
        .answering(
            "registration.post-logout-redirect-uris.are-returned",
            "post_logout_redirect_uris is dropped"
        ) { $0["post_logout_redirect_uris"] = nil },
        .provider(
            "registration.client.redirect-uri-keeps-its-query",
            "the query of a registered redirect URI is lost"
        ) { seams in
            seams.onSuccess { $0.redirectURI = $0.redirectURI.replacing("?preflight=1", with: "") }
        },
        .answering("registration.initiate-login-uri.is-returned", "initiate_login_uri is not returned") {
            $0["initiate_login_uri"] = nil
        },
        .provider("registration.client.id-token-is-valid", "ID Tokens of registered clients are meant for another") {
            $0.registration.idTokenClaims = { claims, _ in claims["aud"] = "another-client" }
        },
        .provider("registration.client.can-sign-in", "registered clients wait for a person to release them") { seams in
            seams.authorizationError = { request, error in
                request["client_id"]?.hasPrefix("dynamic-") == true ? "unauthorized_client" : error
            }
        },
    ]

    private static let clientCredentials: [Fault] = [
        .answering("registration.client-secret.is-issued", "no secret is issued") {
            $0["client_secret"] = nil
            $0["client_secret_expires_at"] = nil
        },
        .answering("registration.client-secret.has-expiry", "client_secret_expires_at is missing") {
            $0["client_secret_expires_at"] = nil
        },
        .answering("registration.client-secret-expires-at.is-a-time", "client_secret_expires_at is in the past") {
            $0["client_secret_expires_at"] = 1_500_000_000
        },
        .answering(
            "registration.client-secret-expires-at.is-a-time",
            variant: "text",
            "client_secret_expires_at is a string"
        ) { $0["client_secret_expires_at"] = "0" },
        .answering("registration.management.is-both-or-neither", "registration_access_token is missing") {
            $0["registration_access_token"] = nil
        },
        .answering("registration.management.uses-https", "registration_client_uri uses http") {
            $0["registration_client_uri"] = "http://127.0.0.1:9/client"
        },
    ]

    private static let wrongRegistrations: [Fault] = [
        .accepting("registration.missing-redirect-uris.are-refused", "clients need no redirect URI") {
            !$0.has("redirect_uris")
        },
        .accepting("registration.redirect-uri-with-fragment.is-refused", "redirect URIs may have a fragment") {
            $0["redirect_uris"]?.strings?.contains { $0.contains("#") } ?? false
        },
        .accepting("registration.http-initiate-login-uri.is-refused", "logins may begin over http") {
            $0["initiate_login_uri"]?.stringValue?.hasPrefix("http:") ?? false
        },
        .accepting("registration.unknown-authentication-method.is-refused", "any authentication method is taken") {
            $0["token_endpoint_auth_method"] == "preflight_unknown"
        },
        .accepting(
            "registration.unsigned-id-token-in-front-channel.is-refused",
            "unsigned ID Tokens may travel through the browser"
        ) { $0["id_token_signed_response_alg"] == "none" },
        .accepting("registration.unfit-redirect-uris.are-refused", "tokens may go to any address over http") {
            metadata in
            metadata["application_type"] == "web"
                && metadata["redirect_uris"]?.strings?.contains { $0.hasPrefix("http:") } ?? false
        },
        Fault(
            "registration.unfit-redirect-uris.are-refused",
            variant: "localhost",
            "tokens may go to localhost",
            change: { seams in
                seams.registration.error = { metadata, error in
                    metadata["redirect_uris"]?.strings?.contains { $0.hasPrefix("https://localhost/") } ?? false
                        ? nil : error
                }
            }
        ),
        Fault(
            "registration.unfit-redirect-uris.are-refused",
            variant: "native",
            "native applications may have any address",
            change: { seams in
                seams.registration.error = { metadata, error in metadata["application_type"] == "native" ? nil : error }
            }
        ),
        .special("registration.initial-access-token.is-required", "the initial access token is not looked at") {
            seams in
            seams.registration.asksForInitialToken = false
        },
    ]

    private static let registrationErrors: [Fault] = [
        .refused("registration.error.status-is-400", "wrong metadata is answered with 422") { $0.status = 422 },
        .refused("registration.error.content-type-is-json", "registration errors come as text/html") {
            $0.setHeader("Content-Type", "text/html")
        },
        .provider("registration.error.has-error-member", "registration errors have no code") { seams in
            seams.registration.errorResponse = { $0["error"] = nil }
        },
        .provider("registration.error.code-is-registered", "registration errors are invalid_request") { seams in
            seams.registration.errorResponse = { $0["error"] = "invalid_request" }
        },
    ]

    private static let clientManagement: [Fault] = [
        .configured("registration.read.status-is-200", 200...200, "registrations cannot be read") { $0.status = 403 },
        .configured("registration.read.content-type-is-json", 200...200, "registrations are read as text/html") {
            $0.setHeader("Content-Type", "text/html")
        },
        .provider("registration.read.client-id-is-the-same", "the registration of another client is read") { seams in
            seams.registration.reading = { $0["client_id"] = "another" }
        },
        .provider("registration.read.metadata-is-returned", "a registration is read without redirect_uris") { seams in
            seams.registration.reading = { $0["redirect_uris"] = nil }
        },
        .configured("registration.deletion.status-is-204", 204...204, "a deletion is answered with 200") {
            $0.status = 200
        },
        .provider(
            "registration.deletion.status-is-204",
            variant: "500",
            "deletions fail with status 500",
            also: ["transport.answers.are-no-server-errors"]
        ) { $0.onAnswer(.clientConfiguration, 204...204) { $0.status = 500 } },
        .configured("registration.management.address-is-there", 204...204, "a deletion finds nothing") {
            $0.status = 404
        },
        .provider("registration.deleted-client.is-refused", "deleted clients are remembered") { seams in
            seams.registration.forgetsDeleted = false
        },
    ]
}
