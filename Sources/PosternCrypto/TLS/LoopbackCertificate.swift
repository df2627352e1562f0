import COpenSSL
import PosternValues

/// A certificate for this machine's own names, and the authority that signed it.
///
/// Browsers need an authority to trust. This authority's key is never written anywhere and is gone once the certificate is signed, so a
/// browser that trusts the authority trusts this one certificate and nothing that could be made later. Should that fail, the authority is
/// limited to loopback names (RFC 5280 section 4.2.1.10).
public struct LoopbackCertificate: Sendable {
    /// What a browser must trust, in PEM.
    public let authority: String
    /// What the listener sends, in PEM: the certificate, then its authority.
    public let certificate: String
    /// The listener's key, in PEM (PKCS #8).
    public let key: Secret

    /// The longest that browsers have accepted from other authorities than their own.
    public static let days = 825

    /// Keys on P-256, signed with SHA-256.
    ///
    /// - Parameter now: the certificate is valid from an hour before, for clocks that differ.
    public static func make(now: Timestamp) throws(CryptoError) -> LoopbackCertificate {
        let authorityKey = try SigningKey.generateES256()
        let key = try SigningKey.generateES256()
        // The name distinguishes authorities of several machines, or of several years, in a browser's list.
        let mark = try RandomBytes.generate(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let issuer = "Postern loopback authority \(mark)"
        let authority = try CertificateDraft(subject: issuer, issuer: issuer, key: authorityKey.key, now: now)
        try authority.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
        try authority.add(NID_key_usage, "critical,keyCertSign,cRLSign")
        try authority.add(
            NID_name_constraints,
            "critical,permitted;IP:127.0.0.0/255.0.0.0,"
                + "permitted;IP:::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,permitted;DNS:localhost")
        try authority.add(NID_subject_key_identifier, "hash")
        try authority.sign(with: authorityKey.key)

        let leaf = try CertificateDraft(subject: "Postern on this machine", issuer: issuer, key: key.key, now: now)
        try leaf.add(NID_basic_constraints, "critical,CA:FALSE")
        try leaf.add(NID_key_usage, "critical,digitalSignature")
        try leaf.add(NID_ext_key_usage, "serverAuth")
        try leaf.add(NID_subject_alt_name, "IP:127.0.0.1,IP:::1,DNS:localhost")
        try leaf.add(NID_subject_key_identifier, "hash")
        try leaf.add(NID_authority_key_identifier, "keyid:always", issuer: authority)
        try leaf.sign(with: authorityKey.key)

        let authorityText = try authority.pem()
        return LoopbackCertificate(authority: authorityText, certificate: try leaf.pem() + authorityText, key: try key.pem())
    }
}

/// An `X509` that is being built.
private final class CertificateDraft {
    private let pointer: OpaquePointer

    init(subject: String, issuer: String, key: Key, now: Timestamp) throws(CryptoError) {
        guard let pointer = X509_new() else { throw Self.failure }
        self.pointer = pointer
        // The number of bits that CA/Browser Forum's requirements demand for serial numbers, and never negative.
        var serial = try RandomBytes.generate(16)
        serial[0] = serial[0] & 0x3F | 0x40
        guard X509_set_version(pointer, 2) == 1, setSerialNumber(serial), name(X509_get_subject_name(pointer), subject),
            name(X509_get_issuer_name(pointer), issuer), setLife(from: now)
        else { throw Self.failure }
        guard try key.withPointer({ X509_set_pubkey(pointer, $0) }) == 1 else { throw Self.failure }
    }

    deinit { X509_free(pointer) }

    private static var failure: CryptoError { .failed("making a certificate") }

    private func setSerialNumber(_ bytes: [UInt8]) -> Bool {
        guard let number = BN_bin2bn(bytes, Int32(bytes.count), nil) else { return false }
        defer { BN_free(number) }
        return BN_to_ASN1_INTEGER(number, X509_get_serialNumber(pointer)) != nil
    }

    private func setLife(from now: Timestamp) -> Bool {
        let begin = Int(now.milliseconds / 1000) - 3600
        return ASN1_TIME_set(X509_getm_notBefore(pointer), begin) != nil
            && ASN1_TIME_set(X509_getm_notAfter(pointer), begin + LoopbackCertificate.days * 86_400) != nil
    }

    private func name(_ name: OpaquePointer?, _ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return X509_NAME_add_entry_by_NID(name, NID_commonName, MBSTRING_UTF8, bytes, Int32(bytes.count), -1, 0) == 1
    }

    /// - Parameters:
    ///   - value: in the syntax of `openssl.cnf` (x509v3_config(5)).
    ///   - issuer: for what is taken from the authority's certificate.
    func add(_ identifier: Int32, _ value: String, issuer: CertificateDraft? = nil) throws(CryptoError) {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer?.pointer ?? pointer, pointer, nil, nil, 0)
        guard let addition = X509V3_EXT_nconf_nid(nil, &context, identifier, value) else { throw Self.failure }
        defer { X509_EXTENSION_free(addition) }
        guard X509_add_ext(pointer, addition, -1) == 1 else { throw Self.failure }
    }

    func sign(with key: Key) throws(CryptoError) {
        guard try key.withPointer({ X509_sign(pointer, $0, EVP_sha256()) }) > 0 else { throw Self.failure }
    }

    func pem() throws(CryptoError) -> String {
        guard let bio = BIO_new(BIO_s_mem()) else { throw Self.failure }
        defer { BIO_free(bio) }
        guard PEM_write_bio_X509(bio, pointer) == 1 else { throw Self.failure }
        var start: UnsafeMutablePointer<CChar>?
        let count = BIO_ctrl(bio, BIO_CTRL_INFO, 0, &start)
        guard count > 0, let start else { throw Self.failure }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
