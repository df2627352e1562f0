import COpenSSL

/// Says which check a server's certificate failed, and what the user can do.
enum CertificateFailure {
    static func error(of session: OpaquePointer, host: String) -> TLSError {
        let result = Int32(clamping: SSL_get_verify_result(session))
        let certificate = POSTERN_SSL_get0_refused_certificate(session)
        switch result {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            let end = certificate.flatMap { date(X509_get0_notAfter($0)) }.map { " on \($0)" } ?? " on a day that cannot be read"
            return TLSError(
                .expired,
                "the certificate of '\(host)', or one above it, has expired (its own ends\(end)); "
                    + "if that date is in the future, check this machine's clock")
        case X509_V_ERR_CERT_NOT_YET_VALID:
            let start = certificate.flatMap { date(X509_get0_notBefore($0)) }.map { " begins on \($0)" } ?? " is not valid yet"
            return TLSError(
                .notYetValid, "the certificate of '\(host)'\(start); if that date is past, check this machine's clock")
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
            return TLSError(
                .selfSigned, "the certificate of '\(host)' is self-signed; if it is yours, name it in 'ca-file'")
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            let issuer = certificate.flatMap { name(X509_get_issuer_name($0)) }.map { "'\($0)'" } ?? "an unnamed authority"
            return TLSError(
                .unknownAuthority,
                "the certificate of '\(host)' was issued by \(issuer), which is not trusted by this system; "
                    + "if it is yours, name it in 'ca-file'")
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
            let subject = certificate.flatMap { name(X509_get_subject_name($0)) }.map { " (it is '\($0)')" } ?? ""
            return TLSError(.hostNameMismatch, "the certificate that the server shows is not for '\(host)'\(subject)")
        default:
            let reason = X509_verify_cert_error_string(Int(result)).map { String(cString: $0) } ?? "error \(result)"
            return TLSError(.certificateRefused, "the certificate of '\(host)' is refused: \(reason)")
        }
    }

    /// "2026-11-21", in UTC.
    static func date(_ time: UnsafePointer<ASN1_TIME>?) -> String? {
        var parts = tm()
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else {
            ErrorQueue.clear()
            return nil
        }
        func padded(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
    }

    /// As in RFC 2253, with everything but printable ASCII escaped: the text is not trusted. At most 200 bytes.
    static func name(_ name: OpaquePointer?) -> String? {
        guard let name, let bio = BIO_new(BIO_s_mem()) else { return nil }
        defer {
            BIO_free(bio)
            ErrorQueue.clear()
        }
        guard X509_NAME_print_ex(bio, name, 0, POSTERN_XN_FLAG_RFC2253) > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = BIO_read(bio, &bytes, Int32(bytes.count))
        return count > 0 ? String(decoding: bytes.prefix(Int(count)), as: UTF8.self) : nil
    }
}
