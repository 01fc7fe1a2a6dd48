# oidc-preflight 0.1.0 checked “https://idp.example.com/tenant” against the profile aws-cognito,
# 2027-01-15T08:00:00Z.
# Gate open: 5 checks passed.
# Proven by a sign-in with response_type code and the scopes openid email profile calendars.read.
# Claims seen: ID Token: iss, sub, aud, email, email_verified, groups, name; UserInfo: sub,
# given_name, locale.

variable "user_pool_id" {
  type        = string
  description = "The user pool whose users sign in with the OpenID Provider."
}

variable "oidc_client_secret" {
  type        = string
  description = "The secret of the client that is registered at the OpenID Provider."
  sensitive   = true
}

resource "aws_cognito_identity_provider" "acme" {
  user_pool_id  = var.user_pool_id
  provider_name = "acme"
  provider_type = "OIDC"
  provider_details = {
    oidc_issuer               = "https://idp.example.com/tenant"
    client_id                 = "client-1"
    client_secret             = var.oidc_client_secret
    authorize_scopes          = "openid email profile calendars.read"
    attributes_request_method = "GET"
  }
  attribute_mapping = {
    username       = "sub"
    email          = "email"
    name           = "name"
    given_name     = "given_name"
    locale         = "locale"
    email_verified = "email_verified"
  }
}
