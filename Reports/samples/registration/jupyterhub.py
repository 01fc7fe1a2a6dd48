# oidc-preflight 0.1.0 checked “https://idp.example.com/tenant” against the profile jupyterhub,
# 2027-01-15T08:00:00Z.
# Gate open: 5 checks passed.
# Proven by a sign-in with response_type code and the scopes openid email profile calendars.read.
# Claims seen: ID Token: iss, sub, aud, email, email_verified, groups, name; UserInfo: sub,
# given_name, locale.

import os

c.JupyterHub.authenticator_class = "generic"
c.GenericOAuthenticator.client_id = "client-1"
c.GenericOAuthenticator.client_secret = os.environ["OIDC_CLIENT_SECRET"]
c.GenericOAuthenticator.oauth_callback_url = "https://app.example.com/callback"
c.GenericOAuthenticator.authorize_url = "https://idp.example.com/authorize"
c.GenericOAuthenticator.token_url = "https://idp.example.com/token"
c.GenericOAuthenticator.userdata_url = "https://idp.example.com/userinfo"
c.GenericOAuthenticator.scope = ["openid", "email", "profile", "calendars.read"]
c.GenericOAuthenticator.username_claim = "sub"
c.GenericOAuthenticator.login_service = "acme"
