import Conformance
import JSONTree

/// The faults that mirror `Catalogue/Registration`.
extension Fault {
    static let registration: [Fault] =
        registrationAnswers + clientCredentials + wrongRegistrations + registrationErrors + clientManagement
        + servedDocuments + clientDocuments

    private static let registrationAnswers: [Fault] = [
        .provider("registration.client.is-accepted", "every registration is rejected") { hooks in
            hooks.registration.error = { _, _ in "invalid_client_metadata" }
        },
        .provider("registration.public-loopback.is-accepted", "public clients are not registered") { hooks in
            hooks.registration.error = { metadata, error in
                metadata["token_endpoint_auth_method"] == "none" ? "invalid_client_metadata" : error
            }
        },
        .provider("registration.ordinary-metadata.is-enough", "registrations with scope are rejected") { hooks in
            hooks.registration.error = { metadata, error in
                metadata.has("scope")
                    ? OAuthError("insufficient_scope", "Not permitted to use specified clientScope") : error
            }
        },
        .provider(
            "registration.ordinary-metadata.is-enough",
            variant: "keys",
            "registrations with scope, or without jwks, are rejected"
        ) { hooks in
            hooks.registration.error = { metadata, error in
                metadata.has("scope") || !metadata.has("jwks") ? "invalid_client_metadata" : error
            }
        },
        .special(
            "registration.response-types.are-served",
            "registered clients cannot use the response type id_token"
        ) { hooks in
            hooks.authorizationError = { request, error in
                let isRegistered = request["client_id"]?.hasPrefix("dynamic-") == true
                return isRegistered && request["response_type"] == "id_token" ? "unauthorized_client" : error
            }
        },
        .provider(
            "registration.client.missing-redirect-uri-is-refused",
            "a request without redirect_uri uses the first of several registered ones"
        ) { hooks in
            let usual = hooks.parameters.redirectURI
            hooks.parameters.redirectURI = { parameters, client in
                guard parameters.first("redirect_uri") == nil, client.redirectURIs.count > 1 else {
                    return usual(parameters, client)
                }
                return client.redirectURIs.first.map { (checked: $0, used: $0) }
            }
        },
        .special("registration.advertised-values.can-be-registered", "HS256 is advertised but cannot be registered") {
            hooks in
            hooks.registration.error = { metadata, error in
                metadata["id_token_signed_response_alg"] == "HS256" ? "invalid_client_metadata" : error
            }
        },
        .registered("registration.status.is-201", "a registration returns status 200") { $0.status = 200 },
        .registered("registration.content-type.is-json", "the registration response is text/plain") {
            $0.setHeader("Content-Type", "text/plain")
        },
        .registered(
            "registration.cache-control.has-no-store",
            "the registration response has no Cache-Control: no-store"
        ) {
            $0.setHeader("Cache-Control", nil)
        },
        .answering("registration.client-id.is-present", "client_id is missing") { $0["client_id"] = nil },
        .answering(
            "registration.redirect-uris.are-returned",
            "redirect_uris are returned with an additional trailing slash"
        ) {
            $0["redirect_uris"] = .array(
                ($0["redirect_uris"]?.strings ?? []).map { .string($0 + "/") }
            )
        },
        .answering("registration.redirect-uris.are-present", "redirect_uris is not returned") {
            $0["redirect_uris"] = nil
        },
        .answering("registration.client-id-issued-at.is-a-number", "client_id_issued_at is a string") {
            $0["client_id_issued_at"] = "1700000000"
        },
        .answering("registration.metadata.is-returned", "grant_types are not returned") { $0["grant_types"] = nil },
        .answering(
            "registration.post-logout-redirect-uris.are-returned",
            "post_logout_redirect_uris is not returned"
        ) { $0["post_logout_redirect_uris"] = nil },
        .provider(
            "registration.client.redirect-uri-keeps-its-query",
            "the query of a registered redirect URI is dropped"
        ) { hooks in
            hooks.onSuccess { $0.redirectURI = $0.redirectURI.replacing("?preflight=1", with: "") }
        },
        .answering("registration.initiate-login-uri.is-returned", "initiate_login_uri is not returned") {
            $0["initiate_login_uri"] = nil
        },
        .provider("registration.client.id-token-is-valid", "ID Tokens of registered clients have another client in aud")
        {
            $0.registration.idTokenClaims = { claims, _ in claims["aud"] = "another-client" }
        },
        .provider("registration.client.can-sign-in", "registered clients cannot sign users in until they are approved")
        { hooks in
            hooks.authorizationError = { request, error in
                request["client_id"]?.hasPrefix("dynamic-") == true ? "unauthorized_client" : error
            }
        },
    ]

    private static let clientCredentials: [Fault] = [
        .answering("registration.client-secret.is-issued", "client_secret is missing") {
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
        .accepting("registration.missing-redirect-uris.are-refused", "a registration without redirect_uris is accepted")
        {
            !$0.has("redirect_uris")
        },
        .accepting("registration.redirect-uri-with-fragment.is-refused", "a redirect URI with a fragment is accepted") {
            $0["redirect_uris"]?.strings?.contains { $0.contains("#") } ?? false
        },
        .accepting("registration.http-initiate-login-uri.is-refused", "initiate_login_uri with http is accepted") {
            $0["initiate_login_uri"]?.stringValue?.hasPrefix("http:") ?? false
        },
        .accepting(
            "registration.unknown-authentication-method.is-refused",
            "an unknown token_endpoint_auth_method is accepted"
        ) {
            $0["token_endpoint_auth_method"] == "preflight_unknown"
        },
        .accepting(
            "registration.unsigned-id-token-in-front-channel.is-refused",
            "id_token_signed_response_alg none is accepted for the front channel"
        ) { $0["id_token_signed_response_alg"] == "none" },
        .accepting(
            "registration.unfit-redirect-uris.are-refused",
            "an http redirect URI is accepted for a web application"
        ) {
            metadata in
            metadata["application_type"] == "web"
                && metadata["redirect_uris"]?.strings?.contains { $0.hasPrefix("http:") } ?? false
        },
        Fault(
            "registration.unfit-redirect-uris.are-refused",
            variant: "localhost",
            "an https redirect URI on localhost is accepted",
            change: { hooks in
                hooks.registration.error = { metadata, error in
                    metadata["redirect_uris"]?.strings?.contains { $0.hasPrefix("https://localhost/") } ?? false
                        ? nil : error
                }
            }
        ),
        Fault(
            "registration.unfit-redirect-uris.are-refused",
            variant: "native",
            "any redirect URI is accepted for a native application",
            change: { hooks in
                hooks.registration.error = { metadata, error in metadata["application_type"] == "native" ? nil : error }
            }
        ),
        .special(
            "registration.initial-access-token.is-required",
            "registration without the initial access token is accepted"
        ) {
            hooks in
            hooks.registration.requestsInitialToken = false
        },
    ]

    private static let registrationErrors: [Fault] = [
        .refused("registration.error.status-is-400", "invalid metadata returns status 422") { $0.status = 422 },
        .refused("registration.error.content-type-is-json", "registration errors are text/html") {
            $0.setHeader("Content-Type", "text/html")
        },
        .provider("registration.error.has-error-member", "registration errors have no error member") { hooks in
            hooks.registration.errorResponse = { $0["error"] = nil }
        },
        .provider("registration.error.code-is-registered", "registration errors have the code invalid_request") {
            hooks in
            hooks.registration.errorResponse = { $0["error"] = "invalid_request" }
        },
    ]

    private static let clientManagement: [Fault] = [
        .configured("registration.read.status-is-200", 200...200, "reading a registration returns status 403") {
            $0.status = 403
        },
        .configured("registration.read.content-type-is-json", 200...200, "reading a registration returns text/html") {
            $0.setHeader("Content-Type", "text/html")
        },
        .provider("registration.read.client-id-is-the-same", "reading a registration returns another client_id") {
            hooks in
            hooks.registration.reading = { $0["client_id"] = "another" }
        },
        .provider("registration.read.metadata-is-returned", "reading a registration returns no redirect_uris") {
            hooks in
            hooks.registration.reading = { $0["redirect_uris"] = nil }
        },
        .provider("registration.read.no-token-is-refused", "a registration can be read without a token") { hooks in
            hooks.registration.readingNeedsToken = false
        },
        .configured("registration.deletion.status-is-204", 204...204, "deleting a registration returns status 200") {
            $0.status = 200
        },
        .provider(
            "registration.deletion.status-is-204",
            variant: "500",
            "deleting a registration returns status 500",
            also: ["transport.answers.are-no-server-errors"]
        ) { $0.onAnswer(.clientConfiguration, 204...204) { $0.status = 500 } },
        .configured("registration.management.address-is-there", 204...204, "deleting a registration returns status 404")
        {
            $0.status = 404
        },
        .provider("registration.deleted-client.is-refused", "a deleted client can still be used") { hooks in
            hooks.registration.forgetsDeleted = false
        },
    ]
}
