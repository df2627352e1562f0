import COpenSSL

/// The host that a client's session connects to: sent by SNI and required of the certificate.
enum ServerName {
    static func require(_ host: String, of session: OpaquePointer) throws(TLSError) {
        // "example.com." is the same host; certificates and SNI omit the dot (RFC 6066 section 3).
        let name = host.ends(with: ".") ? String(host.dropLast()) : host
        // With an empty name libssl would check nothing.
        guard !name.isEmpty, !name.utf8.contains(0) else {
            throw TLSError(.operationFailed, "there is no host name to check the certificate for")
        }
        let parameters = SSL_get0_param(session)
        // An address is not sent by SNI (RFC 6066 section 3) and must be in the certificate as an address.
        if isAddress(name) {
            guard X509_VERIFY_PARAM_set1_ip_asc(parameters, name) == 1 else { throw TLSError.failed("requiring '\(name)'") }
            return
        }
        // The subject's common name no longer counts (RFC 9525 section 6.3), and "w*.example.com" never should have.
        X509_VERIFY_PARAM_set_hostflags(
            parameters, UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        guard X509_VERIFY_PARAM_set1_host(parameters, name, 0) == 1, POSTERN_SSL_set_server_name(session, name) == 1 else {
            throw TLSError.failed("requiring '\(name)'")
        }
    }

    /// Whether a certificate is for the host, by the same rules.
    static func isNamed(_ host: String, in certificate: OpaquePointer) -> Bool {
        defer { ErrorQueue.clear() }
        if isAddress(host) { return X509_check_ip_asc(certificate, host, 0) == 1 }
        let flags = UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
        return X509_check_host(certificate, host, host.utf8.count, flags, nil) == 1
    }

    private static func isAddress(_ name: String) -> Bool {
        guard let address = a2i_IPADDRESS(name) else {
            ErrorQueue.clear()
            return false
        }
        ASN1_OCTET_STRING_free(address)
        return true
    }
}
