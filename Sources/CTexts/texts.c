#include "CTexts.h"

#pragma clang diagnostic ignored "-Wc23-extensions" // clang has `#embed` since version 19, whatever the standard

#define TEXT(name) \
    struct CText name(void) { return (struct CText){name##_octets, sizeof name##_octets}; }

static const unsigned char CTextProfile_openid_octets[] = {
#embed "../../Profiles/openid.yaml"
};
TEXT(CTextProfile_openid)

static const unsigned char CTextProfile_oauth_security_bcp_octets[] = {
#embed "../../Profiles/oauth-security-bcp.yaml"
};
TEXT(CTextProfile_oauth_security_bcp)

static const unsigned char CTextProfile_fapi2_security_octets[] = {
#embed "../../Profiles/fapi2-security.yaml"
};
TEXT(CTextProfile_fapi2_security)

static const unsigned char CTextProfile_firebase_oidc_octets[] = {
#embed "../../Profiles/firebase-oidc.yaml"
};
TEXT(CTextProfile_firebase_oidc)

static const unsigned char CTextProfile_firebase_github_octets[] = {
#embed "../../Profiles/firebase-github.yaml"
};
TEXT(CTextProfile_firebase_github)

static const unsigned char CTextProfile_firebase_microsoft_octets[] = {
#embed "../../Profiles/firebase-microsoft.yaml"
};
TEXT(CTextProfile_firebase_microsoft)

static const unsigned char CTextProfile_firebase_yahoo_octets[] = {
#embed "../../Profiles/firebase-yahoo.yaml"
};
TEXT(CTextProfile_firebase_yahoo)

static const unsigned char CTextProfile_firebase_twitter_octets[] = {
#embed "../../Profiles/firebase-twitter.yaml"
};
TEXT(CTextProfile_firebase_twitter)

static const unsigned char CTextProfile_x_oauth2_octets[] = {
#embed "../../Profiles/x-oauth2.yaml"
};
TEXT(CTextProfile_x_oauth2)

static const unsigned char CTextProfile_google_identity_platform_octets[] = {
#embed "../../Profiles/google-identity-platform.yaml"
};
TEXT(CTextProfile_google_identity_platform)

static const unsigned char CTextProfile_supabase_octets[] = {
#embed "../../Profiles/supabase.yaml"
};
TEXT(CTextProfile_supabase)

static const unsigned char CTextProfile_aws_cognito_octets[] = {
#embed "../../Profiles/aws-cognito.yaml"
};
TEXT(CTextProfile_aws_cognito)

static const unsigned char CTextProfile_entra_external_id_octets[] = {
#embed "../../Profiles/entra-external-id.yaml"
};
TEXT(CTextProfile_entra_external_id)

static const unsigned char CTextProfile_auth0_enterprise_octets[] = {
#embed "../../Profiles/auth0-enterprise.yaml"
};
TEXT(CTextProfile_auth0_enterprise)

static const unsigned char CTextProfile_oauth2_proxy_octets[] = {
#embed "../../Profiles/oauth2-proxy.yaml"
};
TEXT(CTextProfile_oauth2_proxy)

static const unsigned char CTextProfile_vault_sign_in_octets[] = {
#embed "../../Profiles/vault-sign-in.yaml"
};
TEXT(CTextProfile_vault_sign_in)

static const unsigned char CTextProfile_spa_octets[] = {
#embed "../../Profiles/spa.yaml"
};
TEXT(CTextProfile_spa)

static const unsigned char CTextProfile_appauth_octets[] = {
#embed "../../Profiles/appauth.yaml"
};
TEXT(CTextProfile_appauth)

static const unsigned char CTextProfile_token_verifier_octets[] = {
#embed "../../Profiles/token-verifier.yaml"
};
TEXT(CTextProfile_token_verifier)

static const unsigned char CTextProfile_aws_iam_octets[] = {
#embed "../../Profiles/aws-iam.yaml"
};
TEXT(CTextProfile_aws_iam)

static const unsigned char CTextProfile_google_workload_identity_octets[] = {
#embed "../../Profiles/google-workload-identity.yaml"
};
TEXT(CTextProfile_google_workload_identity)

static const unsigned char CTextProfile_kubernetes_octets[] = {
#embed "../../Profiles/kubernetes.yaml"
};
TEXT(CTextProfile_kubernetes)

static const unsigned char CTextProfile_vault_octets[] = {
#embed "../../Profiles/vault.yaml"
};
TEXT(CTextProfile_vault)

static const unsigned char CTextProfile_sigstore_fulcio_octets[] = {
#embed "../../Profiles/sigstore-fulcio.yaml"
};
TEXT(CTextProfile_sigstore_fulcio)

static const unsigned char CTextProfile_sigstore_fulcio_email_octets[] = {
#embed "../../Profiles/sigstore-fulcio-email.yaml"
};
TEXT(CTextProfile_sigstore_fulcio_email)

static const unsigned char CTextTable_consequences_octets[] = {
#embed "../Preflight/Explanations/consequences.tsv"
};
TEXT(CTextTable_consequences)

static const unsigned char CTextTable_examples_octets[] = {
#embed "../Preflight/Explanations/examples.tsv"
};
TEXT(CTextTable_examples)

static const unsigned char CTextTable_refusals_octets[] = {
#embed "../Preflight/Explanations/refusals.tsv"
};
TEXT(CTextTable_refusals)

static const unsigned char CTextTable_sightings_octets[] = {
#embed "../Preflight/Explanations/sightings.tsv"
};
TEXT(CTextTable_sightings)
