import COpenSSL

/// The system's certificate authorities, each read when a chain first needs it.
///
/// `SSL_CTX_set_default_verify_paths` would parse the whole bundle at once: 15 ms on the event loop and 0.9 MB for as long as the context
/// exists. The directory of hashed names is read one certificate at a time; only if it lacks an authority is the bundle read. What is
/// trusted is the same.
enum TrustStore {
    static func addSystemAuthorities(to store: OpaquePointer?) throws(TLSError) {
        guard let directory = X509_STORE_add_lookup(store, X509_LOOKUP_hash_dir()),
            X509_LOOKUP_ctrl(directory, X509_L_ADD_DIR, nil, Int(X509_FILETYPE_DEFAULT), nil) == 1,
            let bundle, X509_STORE_add_lookup(store, bundle) != nil
        else { throw TLSError.failed("opening the system's certificate store") }
    }

    /// Many times the bundle of a system.
    private static let longestText = 4 << 20

    /// - Parameter authorities: certificates in PEM, at least one; text between them is ignored.
    static func add(_ authorities: String, to store: OpaquePointer?) throws(TLSError) {
        ErrorQueue.clear()
        let bytes = Array(authorities.utf8.prefix(longestText + 1))
        guard bytes.count <= longestText else { throw unusable("it is longer than \(longestText) bytes") }
        guard let text = BIO_new(BIO_s_mem()) else { throw TLSError.failed("reading certificates") }
        defer {
            BIO_free(text)
            ErrorQueue.clear()
        }
        guard bytes.isEmpty || BIO_write(text, bytes, Int32(bytes.count)) == Int32(bytes.count) else {
            throw TLSError.failed("reading certificates")
        }
        var count = 0
        // Without our callback, libcrypto asks for the passphrase of an encrypted one on the terminal.
        while let certificate = PEM_read_bio_X509(text, nil, { _, _, _, _ in -1 }, nil) {
            defer { X509_free(certificate) }
            guard X509_STORE_add_cert(store, certificate) == 1 else { throw unusable(ErrorQueue.drain()) }
            count += 1
        }
        // `ERR_GET_REASON`, which is not imported: the end of the text looks like this.
        let isEnd = Int32(truncatingIfNeeded: ERR_peek_last_error() & 0x7F_FFFF) == PEM_R_NO_START_LINE
        guard isEnd else { throw unusable("number \(count + 1) is damaged: \(ErrorQueue.drain())") }
        guard count > 0 else { throw unusable("there is none") }
    }

    private static func unusable(_ reason: String) -> TLSError {
        TLSError(.badFile, "cannot use the additional certificate authorities: \(reason)")
    }

    /// Exists as long as the process: lookups of every context point to it.
    private nonisolated(unsafe) static let bundle: OpaquePointer? = {
        guard let method = X509_LOOKUP_meth_new("the system's bundle, when needed") else { return nil }
        guard X509_LOOKUP_meth_set_get_by_subject(method, findInBundle) == 1 else {
            X509_LOOKUP_meth_free(method)
            return nil
        }
        return method
    }()
}

/// Called if neither the store nor the directory has the authority. After the first call the store has the whole bundle, so whatever is
/// still missing is in neither.
private func findInBundle(
    lookup: OpaquePointer?, type: X509_LOOKUP_TYPE, name: OpaquePointer?, result: OpaquePointer?
) -> Int32 {
    guard type == X509_LU_X509, let lookup, X509_LOOKUP_get_method_data(lookup) == nil else { return 0 }
    // Only marks that the bundle was read; it points to nothing.
    guard X509_LOOKUP_set_method_data(lookup, UnsafeMutableRawPointer(bitPattern: 1)) == 1 else { return 0 }
    let store = X509_LOOKUP_get_store(lookup)
    guard let file = X509_STORE_add_lookup(store, X509_LOOKUP_file()),
        X509_LOOKUP_ctrl(file, X509_L_FILE_LOAD, nil, Int(X509_FILETYPE_DEFAULT), nil) == 1,
        let object = X509_OBJECT_retrieve_by_subject(X509_STORE_get0_objects(store), type, name),
        let certificate = X509_OBJECT_get0_X509(object),
        X509_OBJECT_set1_X509(result, certificate) == 1
    else {
        // A missing bundle is not an error: the chain then ends at an unknown authority, which is reported.
        ErrorQueue.clear()
        return 0
    }
    // The caller counts its own reference and expects none with the result; the store keeps the certificate alive.
    X509_free(certificate)
    return 1
}
