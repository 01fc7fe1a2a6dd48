import Conformance
import JSONTree

/// What providers of the world have done to those who relied on them, each on its own persona.
extension Fault {
    static let world: [Fault] = [
        .provider(
            "idtoken.iss.matches-issuer",
            variant: "google-without-scheme",
            "iss lacks the scheme, as Google's once did",
            persona: .google
        ) { seams in
            seams.idTokenClaims = { claims, _ in claims.rewrite("iss") { $0.replacing("https://", with: "") } }
        },
        .document(
            "discovery.issuer.matches-request",
            variant: "apple-renamed",
            "the document names a new issuer, and the tokens the old one",
            also: ["discovery.endpoints.are-on-the-issuers-host", "discovery.endpoints.are-publicly-named"],
            persona: .apple
        ) { $0["issuer"] = "https://account.op.example" },
        .provider(
            "idtoken.email-verified.is-a-boolean",
            variant: "apple-words",
            "email_verified is a string",
            also: ["idtoken.claims.were-asked-for"],
            persona: .apple
        ) { seams in
            seams.idTokenClaims = { claims, _ in
                claims["email"] = "alice@example.com"
                claims["email_verified"] = "true"
            }
        },
        .document(
            "discovery.issuer.matches-request",
            variant: "auth0-without-slash",
            "the slash at the issuer's end is lost in the document",
            persona: .auth0
        ) { document in document.rewrite("issuer") { String($0.dropLast()) } },
        .provider(
            "idtoken.iss.matches-issuer",
            variant: "auth0-without-slash",
            "the slash at the issuer's end is lost in the token",
            persona: .auth0
        ) { seams in
            seams.idTokenClaims = { claims, _ in claims.rewrite("iss") { String($0.dropLast()) } }
        },
        .provider(
            "platform.firebase.id-token.alg-is-rs256",
            variant: "auth0-application",
            "the application is set to HS256",
            also: ["idtoken.alg.is-the-default"],
            persona: .auth0
        ) { $0.signWithAnnouncedSecret() },
    ]
}
