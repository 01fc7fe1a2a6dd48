# oidc-preflight 0.1.0 checked “https://idp.example.com/tenant” against the profile firebase-oidc,
# 2027-01-15T08:00:00Z.
# Gate open: 5 checks passed.
# Proven by a sign-in with response_type code and the scopes openid email profile calendars.read.
# Claims seen: ID Token: iss, sub, aud, email, email_verified, groups, name; UserInfo: sub,
# given_name, locale.

variable "oidc_client_secret" {
  type        = string
  description = "The secret of the client that is registered at the OpenID Provider."
  sensitive   = true
}

resource "google_identity_platform_oauth_idp_config" "acme" {
  name          = "oidc.acme"
  display_name  = "acme"
  enabled       = true
  issuer        = "https://idp.example.com/tenant"
  client_id     = "client-1"
  client_secret = var.oidc_client_secret

  response_type {
    code = true
  }
}
