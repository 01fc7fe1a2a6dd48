# oidc-preflight 0.1.0 checked “https://idp.example.com/tenant” against the profile aws-iam,
# 2027-01-15T08:00:00Z.
# Gate open: 5 checks passed.
# Proven by a sign-in with response_type code and the scopes openid email profile calendars.read.
# Claims seen: ID Token: iss, sub, aud, email, email_verified, groups, name; UserInfo: sub,
# given_name, locale.

resource "aws_iam_openid_connect_provider" "acme" {
  url            = "https://idp.example.com/tenant"
  client_id_list = ["client-1"]
}
