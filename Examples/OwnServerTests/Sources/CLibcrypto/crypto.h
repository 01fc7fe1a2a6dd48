#include <openssl/bn.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
