// The texts that the program carries: built-in profiles, and the tables behind `checks explain`.
//
// They are octets of the object file. As literals of Swift, they took the compiler a quarter of a whole release build.
#ifndef CTEXTS_H
#define CTEXTS_H

#include <stddef.h>

/// Octets that live as long as the program; not terminated.
struct CText {
    const unsigned char *_Nonnull octets;
    size_t count;
};

struct CText CTextProfile_openid(void);
struct CText CTextProfile_oauth_security_bcp(void);
struct CText CTextProfile_fapi2_security(void);
struct CText CTextProfile_firebase_oidc(void);
struct CText CTextProfile_firebase_github(void);
struct CText CTextProfile_firebase_microsoft(void);
struct CText CTextProfile_firebase_yahoo(void);
struct CText CTextProfile_firebase_twitter(void);
struct CText CTextProfile_x_oauth2(void);
struct CText CTextProfile_google_identity_platform(void);
struct CText CTextProfile_supabase(void);
struct CText CTextProfile_aws_cognito(void);
struct CText CTextProfile_entra_external_id(void);
struct CText CTextProfile_auth0_enterprise(void);
struct CText CTextProfile_oauth2_proxy(void);
struct CText CTextProfile_vault_sign_in(void);
struct CText CTextProfile_spa(void);
struct CText CTextProfile_appauth(void);
struct CText CTextProfile_token_verifier(void);
struct CText CTextProfile_aws_iam(void);
struct CText CTextProfile_google_workload_identity(void);
struct CText CTextProfile_kubernetes(void);
struct CText CTextProfile_vault(void);
struct CText CTextProfile_sigstore_fulcio(void);
struct CText CTextProfile_sigstore_fulcio_email(void);

struct CText CTextTable_consequences(void);
struct CText CTextTable_examples(void);
struct CText CTextTable_refusals(void);
struct CText CTextTable_sightings(void);

#endif
