// oidc-preflight 0.1.0 checked “https://idp.example.com/tenant” against the profile firebase-oidc,
// 2027-01-15T08:00:00Z.
// Gate open: 5 checks passed.
// Proven by a sign-in with response_type code and the scopes openid email profile calendars.read.
// Claims seen: ID Token: iss, sub, aud, email, email_verified, groups, name; UserInfo: sub,
// given_name, locale.

import FirebaseAuth

func signInWithProvider() async throws -> AuthDataResult {
    let provider = OAuthProvider(providerID: "oidc.acme")
    provider.scopes = ["calendars.read"]
    let credential = try await provider.credential(with: nil)
    return try await Auth.auth().signIn(with: credential)
}
