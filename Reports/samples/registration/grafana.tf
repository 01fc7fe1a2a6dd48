# oidc-preflight 0.1.0 checked “https://idp.example.com/tenant” against the profile grafana,
# 2027-01-15T08:00:00Z.
# Gate open: 5 checks passed.
# Proven by a sign-in with response_type code and the scopes openid email profile calendars.read.
# Claims seen: ID Token: iss, sub, aud, email, email_verified, groups, name; UserInfo: sub,
# given_name, locale.

resource "grafana_sso_settings" "acme" {
  provider_name = "generic_oauth"

  oauth2_settings {
    name          = "acme"
    auth_url      = "https://idp.example.com/authorize"
    token_url     = "https://idp.example.com/token"
    api_url       = "https://idp.example.com/userinfo"
    client_id     = "client-1"
    client_secret = var.oidc_client_secret
    scopes        = "openid email profile calendars.read"
    use_pkce      = true
  }
}
