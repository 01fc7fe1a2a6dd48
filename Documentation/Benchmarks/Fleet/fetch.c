/*
 * The peer of `fleet`: only fetches the two documents of each issuer over one libcurl multi handle with HTTP/2.
 *   fetch CA CONCURRENCY <LIST
 */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t drop(char *bytes, size_t size, size_t count, void *total) {
    (void)bytes;
    *(size_t *)total += size * count;
    return size * count;
}

int main(int count, char **arguments) {
    if (count != 3) return 64;
    int most = atoi(arguments[2]), running = 0, waiting = 0, left = 0, failed = 0;
    size_t total = 0;
    char issuer[2048], address[2200];
    int isKeys = 1, more = 1;
    CURLM *multi = curl_multi_init();
    while (more || running) {
        while (more && running < most) {
            if (isKeys) {
                if (!fgets(issuer, sizeof issuer, stdin)) { more = 0; break; }
                issuer[strcspn(issuer, "\n")] = 0;
            }
            isKeys = !isKeys;
            snprintf(address, sizeof address, "%s/%s", issuer, isKeys ? "keys" : ".well-known/openid-configuration");
            CURL *easy = curl_easy_init();
            curl_easy_setopt(easy, CURLOPT_URL, address);
            curl_easy_setopt(easy, CURLOPT_CAINFO, arguments[1]);
            curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
            curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
            curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, drop);
            curl_easy_setopt(easy, CURLOPT_WRITEDATA, &total);
            curl_multi_add_handle(multi, easy);
            running++;
        }
        int active;
        curl_multi_perform(multi, &active);
        CURLMsg *message;
        while ((message = curl_multi_info_read(multi, &waiting))) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL *easy = message->easy_handle;
            long status = 0;
            curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
            if (message->data.result != CURLE_OK || status != 200) failed++;
            curl_multi_remove_handle(multi, easy);
            curl_easy_cleanup(easy);
            running--;
        }
        /* Do not wait if no transfer is running: that would take a second for nothing. */
        if (running && (running >= most || !more)) curl_multi_poll(multi, NULL, 0, 1000, &left);
    }
    curl_multi_cleanup(multi);
    printf("%zu bytes, %d failed\n", total, failed);
    return failed ? 1 : 0;
}
