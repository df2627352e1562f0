/* COpenSSL: OpenSSL's headers, and its macros as functions. Imported by PosternCrypto alone. */
#ifndef POSTERN_COPENSSL_SHIM_H
#define POSTERN_COPENSSL_SHIM_H
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* Macros of macros, which Swift does not import. */
static const int POSTERN_EVP_PKEY_PUBLIC_KEY = EVP_PKEY_PUBLIC_KEY;
static const unsigned long POSTERN_XN_FLAG_RFC2253 = XN_FLAG_RFC2253;
static const unsigned long POSTERN_X509_V_FLAG_NO_CHECK_TIME = X509_V_FLAG_NO_CHECK_TIME;
static const uint64_t POSTERN_SSL_OPTIONS = SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET;

/* Macros that call, which Swift does not import either. */
static inline int POSTERN_SSL_CTX_require_TLS_1_2(SSL_CTX *context) {
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1;
}
static inline void POSTERN_SSL_CTX_save_memory(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}
static inline int POSTERN_SSL_set_server_name(SSL *session, const char *name) {
    return SSL_set_tlsext_host_name(session, name) == 1;
}
static inline void POSTERN_BIO_set_end_of_input(BIO *bio) {
    BIO_set_mem_eof_return(bio, 0);
}

static inline STACK_OF(X509) *POSTERN_SSL_CTX_get0_chain(SSL_CTX *context) {
    STACK_OF(X509) *chain = NULL;
    return SSL_CTX_get0_chain_certs(context, &chain) == 1 ? chain : NULL;
}

/* Typed stacks are reached by macros alone. A refused certificate is no longer SSL_get0_peer_certificate's, but it still
   begins the chain that was built; NULL where none was. */
static inline X509 *POSTERN_SSL_get0_refused_certificate(const SSL *session) {
    STACK_OF(X509) *chain = SSL_get0_verified_chain(session);
    return sk_X509_num(chain) > 0 ? sk_X509_value(chain, 0) : NULL;
}

#endif
