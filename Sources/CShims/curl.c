#include "CShimsCurl.h"

#include <openssl/crypto.h>
#include <pthread.h>
#include <stdlib.h>

CURLcode preflight_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode preflight_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode preflight_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode preflight_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode preflight_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode preflight_curl_set_write_callback(CURL *easy, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode preflight_curl_set_open_socket_callback(CURL *easy, curl_opensocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

CURLcode preflight_curl_set_tls_context_callback(CURL *easy, curl_ssl_ctx_callback value) {
    return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, value);
}

CURLcode preflight_curl_set_send_callback(CURL *easy, curl_prereq_callback value) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

long preflight_curl_get_long(CURL *easy, CURLINFO information) {
    long value = 0;
    return curl_easy_getinfo(easy, information, &value) == CURLE_OK ? value : 0;
}

curl_off_t preflight_curl_get_size(CURL *easy, CURLINFO information) {
    curl_off_t value = 0;
    return curl_easy_getinfo(easy, information, &value) == CURLE_OK ? value : 0;
}

const char *preflight_curl_get_string(CURL *easy, CURLINFO information) {
    const char *value = NULL;
    return curl_easy_getinfo(easy, information, &value) == CURLE_OK ? value : NULL;
}

int preflight_curl_get_socket(CURL *easy) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK ? (int)socket : -1;
}

curl_version_info_data *preflight_curl_versions(void) {
    return curl_version_info(CURLVERSION_NOW);
}

// More certificates than any real chain; a server that sends more is cut off here, not in memory.
enum { MOST_CERTIFICATES = 32 };

static int context_index = -1;

struct preflight_handshake {
    int references;
    int was_verified;
    int is_verified;
    int error;
    int error_depth;
    int leaf_is_self_issued;
    const char *version;
    const char *cipher;
    size_t count;
    unsigned char *certificates[MOST_CERTIFICATES];
    size_t lengths[MOST_CERTIFICATES];
    // The records since the last header or piece of a body.
    unsigned long records;
    int was_flooded;
};

// More records than any response has before its first header, even with a byte in each.
enum { MOST_RECORDS = 5000 };

// libcurl reads HTTP/2 frames as long as there are any, and looks at no time limit meanwhile. A server that sends frames
// without end, and no response, would block the thread; its connection counts as closed.
static void count_record(
    int is_sent, int version, int kind, const void *bytes, size_t length, SSL *connection, void *argument) {
    (void)version, (void)bytes, (void)length;
    preflight_handshake *handshake = argument;
    if (is_sent || kind != SSL3_RT_HEADER || ++handshake->records < MOST_RECORDS) return;
    handshake->was_flooded = 1;
    SSL_set_shutdown(connection, SSL_RECEIVED_SHUTDOWN);
}

static preflight_handshake *handshake_of(CURL *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if (context_index < 0 || curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK) return NULL;
    if (session == NULL || session->backend != CURLSSLBACKEND_OPENSSL || session->internals == NULL) return NULL;
    SSL_CTX *context = SSL_get_SSL_CTX((SSL *)session->internals);
    return context == NULL ? NULL : SSL_CTX_get_ex_data(context, context_index);
}

void preflight_handshake_received_data(CURL *easy) {
    preflight_handshake *handshake = handshake_of(easy);
    if (handshake != NULL) handshake->records = 0;
}

void preflight_handshake_release(preflight_handshake *handshake) {
    if (handshake == NULL || --handshake->references > 0) return;
    for (size_t index = 0; index < handshake->count; index++) OPENSSL_free(handshake->certificates[index]);
    free(handshake);
}

static void release_with_context(
    void *parent, void *value, CRYPTO_EX_DATA *data, int data_index, long argument, void *pointer) {
    (void)parent, (void)data, (void)data_index, (void)argument, (void)pointer;
    preflight_handshake_release(value);
}

static pthread_once_t context_index_once = PTHREAD_ONCE_INIT;

static void reserve_context_index(void) {
    context_index = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, release_with_context);
}

static void keep_certificate(preflight_handshake *handshake, X509 *certificate) {
    if (certificate == NULL || handshake->count == MOST_CERTIFICATES) return;
    unsigned char *bytes = NULL;
    int length = i2d_X509(certificate, &bytes);
    if (length <= 0) return;
    handshake->certificates[handshake->count] = bytes;
    handshake->lengths[handshake->count] = (size_t)length;
    handshake->count++;
}

// Runs for every verification on the context; a renegotiation overwrites what the first handshake left.
static int judge_and_record(X509_STORE_CTX *verification, void *argument) {
    preflight_handshake *handshake = argument;
    int verdict = X509_verify_cert(verification);

    for (size_t index = 0; index < handshake->count; index++) OPENSSL_free(handshake->certificates[index]);
    handshake->count = 0;
    handshake->was_verified = 1;
    handshake->is_verified = verdict > 0;
    handshake->error = X509_STORE_CTX_get_error(verification);
    handshake->error_depth = X509_STORE_CTX_get_error_depth(verification);

    X509 *leaf = X509_STORE_CTX_get0_cert(verification);
    handshake->leaf_is_self_issued =
        leaf != NULL && X509_NAME_cmp(X509_get_subject_name(leaf), X509_get_issuer_name(leaf)) == 0;
    STACK_OF(X509) *sent = X509_STORE_CTX_get0_untrusted(verification);
    int sent_count = sent == NULL ? 0 : sk_X509_num(sent);
    if (sent_count == 0 || X509_cmp(sk_X509_value(sent, 0), leaf) != 0) keep_certificate(handshake, leaf);
    for (int index = 0; index < sent_count; index++) keep_certificate(handshake, sk_X509_value(sent, index));

    SSL *connection = X509_STORE_CTX_get_ex_data(verification, SSL_get_ex_data_X509_STORE_CTX_idx());
    if (connection != NULL) {
        const SSL_CIPHER *cipher = SSL_get_pending_cipher(connection);
        if (cipher == NULL) cipher = SSL_get_current_cipher(connection);
        handshake->version = SSL_get_version(connection);
        handshake->cipher = cipher == NULL ? NULL : SSL_CIPHER_get_name(cipher);
    }
    return verdict;
}

preflight_handshake *preflight_handshake_watch(SSL_CTX *context, X509_STORE *trust) {
    pthread_once(&context_index_once, reserve_context_index);
    preflight_handshake *handshake = calloc(1, sizeof *handshake);
    if (context_index < 0 || handshake == NULL || SSL_CTX_set_ex_data(context, context_index, handshake) != 1) {
        free(handshake);
        return NULL;
    }
    handshake->references = 2;
    SSL_CTX_set1_cert_store(context, trust);
    SSL_CTX_set_cert_verify_callback(context, judge_and_record, handshake);
    SSL_CTX_set_msg_callback(context, count_record);
    SSL_CTX_set_msg_callback_arg(context, handshake);
    return handshake;
}

preflight_handshake *preflight_handshake_of_transfer(CURL *easy) {
    preflight_handshake *handshake = handshake_of(easy);
    if (handshake != NULL) handshake->references++;
    return handshake;
}

int preflight_handshake_was_verified(const preflight_handshake *handshake) { return handshake->was_verified; }
int preflight_handshake_is_verified(const preflight_handshake *handshake) { return handshake->is_verified; }
int preflight_handshake_error(const preflight_handshake *handshake) { return handshake->error; }
int preflight_handshake_error_depth(const preflight_handshake *handshake) { return handshake->error_depth; }
const char *preflight_handshake_version(const preflight_handshake *handshake) { return handshake->version; }
const char *preflight_handshake_cipher(const preflight_handshake *handshake) { return handshake->cipher; }

int preflight_handshake_was_flooded(const preflight_handshake *handshake) { return handshake->was_flooded; }

int preflight_handshake_leaf_is_self_issued(const preflight_handshake *handshake) {
    return handshake->leaf_is_self_issued;
}

size_t preflight_handshake_certificate_count(const preflight_handshake *handshake) { return handshake->count; }

const unsigned char *preflight_handshake_certificate(
    const preflight_handshake *handshake, size_t index, size_t *length) {
    if (index >= handshake->count) return NULL;
    *length = handshake->lengths[index];
    return handshake->certificates[index];
}
