#ifndef OIDC_PREFLIGHT_CSHIMS_CURL_H
#define OIDC_PREFLIGHT_CSHIMS_CURL_H

#include <curl/curl.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stddef.h>

// curl_easy_setopt is variadic, which Swift cannot call: one typed wrapper for each kind of argument.
CURLcode preflight_curl_set_long(CURL *easy, CURLoption option, long value);
CURLcode preflight_curl_set_size(CURL *easy, CURLoption option, curl_off_t value);
CURLcode preflight_curl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode preflight_curl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode preflight_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value);
CURLcode preflight_curl_set_write_callback(CURL *easy, CURLoption option, curl_write_callback value);
CURLcode preflight_curl_set_open_socket_callback(CURL *easy, curl_opensocket_callback value);
CURLcode preflight_curl_set_tls_context_callback(CURL *easy, curl_ssl_ctx_callback value);
CURLcode preflight_curl_set_send_callback(CURL *easy, curl_prereq_callback value);

// curl_easy_getinfo is variadic as well.
long preflight_curl_get_long(CURL *easy, CURLINFO information);
curl_off_t preflight_curl_get_size(CURL *easy, CURLINFO information);
const char *preflight_curl_get_string(CURL *easy, CURLINFO information);
// The socket of the transfer's connection; -1 if there is none.
int preflight_curl_get_socket(CURL *easy);

// CURLVERSION_NOW is an enumerator behind a macro, which Swift does not import.
curl_version_info_data *preflight_curl_versions(void);

// The facts of certificate verification in one TLS handshake. The record is reference-counted: the SSL_CTX keeps
// one reference for its lifetime, so that a transfer on a reused connection finds the facts again.
// All calls for one client happen on its engine's thread; the counter is not atomic.
typedef struct preflight_handshake preflight_handshake;

// Sets the trusted certificates of the context and records its verification. The library's result is returned
// unchanged. Returns a reference for the caller, or NULL if out of memory.
preflight_handshake *preflight_handshake_watch(SSL_CTX *context, X509_STORE *trust);
// The record of the connection that the transfer uses now, as a new reference; NULL without TLS.
preflight_handshake *preflight_handshake_of_transfer(CURL *easy);
void preflight_handshake_release(preflight_handshake *handshake);
// A header or a piece of a body arrived over the connection that the transfer uses now.
void preflight_handshake_received_data(CURL *easy);

// Whether verification has run at all, and its result.
int preflight_handshake_was_verified(const preflight_handshake *handshake);
int preflight_handshake_is_verified(const preflight_handshake *handshake);
int preflight_handshake_error(const preflight_handshake *handshake);
int preflight_handshake_error_depth(const preflight_handshake *handshake);
const char *preflight_handshake_version(const preflight_handshake *handshake);
const char *preflight_handshake_cipher(const preflight_handshake *handshake);
// Whether the connection was ended because it contained records without end and no response.
int preflight_handshake_was_flooded(const preflight_handshake *handshake);
// Whether the first certificate names itself as its issuer.
int preflight_handshake_leaf_is_self_issued(const preflight_handshake *handshake);
// The certificates in DER, as the server sent them, its own first.
size_t preflight_handshake_certificate_count(const preflight_handshake *handshake);
const unsigned char *preflight_handshake_certificate(
    const preflight_handshake *handshake, size_t index, size_t *length);

#endif
