import COpenSSL

/// What browsers refuse a server's certificate for.
public enum CertificateObjection: Hashable, Sendable {
    /// Since that day, as in `2026-11-21`; nil if the day cannot be read.
    case ended(String?)
    /// Until that day.
    case notYetValid(String?)
    /// None of these addresses or names is in it.
    case foreign([String])
}

extension TLSContext {
    /// Whole days until a server's certificate expires, negative if it has; nil if that cannot be read.
    public var certificateDaysLeft: Int? {
        withCertificate { certificate in
            guard let (days, seconds) = Self.time(until: X509_get0_notAfter(certificate)) else { return nil }
            return seconds < 0 ? Int(days) - 1 : Int(days)
        }
    }

    /// - Parameter hosts: IP addresses and names that the server is reached by.
    public func objections(hosts: [String]) -> [CertificateObjection] {
        withCertificate { certificate in
            var objections: [CertificateObjection] = []
            let (end, start) = (X509_get0_notAfter(certificate), X509_get0_notBefore(certificate))
            if let left = Self.time(until: end), left.days < 0 || left.seconds < 0 {
                objections.append(.ended(CertificateFailure.date(end)))
            } else if let left = Self.time(until: start), left.days > 0 || left.seconds > 0 {
                objections.append(.notYetValid(CertificateFailure.date(start)))
            }
            let foreign = hosts.filter { !ServerName.isNamed($0, in: certificate) }
            if !foreign.isEmpty { objections.append(.foreign(foreign)) }
            return objections
        } ?? []
    }

    /// The issuer of a server's certificate, if neither this system nor the file of authorities makes it trusted; dates are not looked at.
    ///
    /// - Returns: nil if it is trusted, or if that cannot be determined.
    public func unknownAuthority(besides file: String?) -> String? {
        guard let store = X509_STORE_new() else { return nil }
        defer {
            X509_STORE_free(store)
            ErrorQueue.clear()
        }
        guard (try? TrustStore.addSystemAuthorities(to: store)) != nil, let verification = X509_STORE_CTX_new() else { return nil }
        defer { X509_STORE_CTX_free(verification) }
        // A file that is missing or damaged vouches for nothing.
        if let file { _ = X509_STORE_load_file(store, file) }
        return withCertificate { certificate in
            let chain = try? withPointer { POSTERN_SSL_CTX_get0_chain($0) }
            guard X509_STORE_CTX_init(verification, store, certificate, chain ?? nil) == 1 else { return nil }
            X509_STORE_CTX_set_flags(verification, POSTERN_X509_V_FLAG_NO_CHECK_TIME)
            guard X509_verify_cert(verification) == 0 else { return nil }
            return CertificateFailure.name(X509_get_issuer_name(certificate)) ?? "an unnamed authority"
        }
    }

    private func withCertificate<Result>(_ body: (OpaquePointer) -> Result?) -> Result? {
        let result = try? withPointer { pointer in SSL_CTX_get0_certificate(pointer).flatMap(body) }
        return result ?? nil
    }

    /// From now on; both are negative if the moment is past.
    private static func time(until moment: UnsafePointer<ASN1_TIME>?) -> (days: Int32, seconds: Int32)? {
        var (days, seconds): (Int32, Int32) = (0, 0)
        guard let moment, ASN1_TIME_diff(&days, &seconds, nil, moment) == 1 else {
            ErrorQueue.clear()
            return nil
        }
        return (days, seconds)
    }
}
