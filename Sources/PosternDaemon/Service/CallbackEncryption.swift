import Glibc
import PosternApplication
import PosternConfiguration
import PosternCrypto

/// The certificate of the callback listener, looked at before browsers do.
@DaemonActor
enum CallbackEncryption {
    /// A person needs some time to have a new certificate trusted everywhere.
    private static let fewDays = 30

    /// - Returns: nil where the listener speaks plain http.
    static func context(of settings: Configuration.Callback, events: EventLog) throws(TLSError) -> TLSContext? {
        guard let certificate = settings.certificate, let key = settings.key else { return nil }
        let context = try TLSContext.server(certificateFile: certificate, keyFile: key)
        if let days = context.certificateDaysLeft, days < fewDays {
            let when = days < 0 ? "has ended" : "ends within \(days + 1) days"
            events.report(
                .configuration,
                "the certificate in '\(certificate)' \(when), and browsers refuse it then; postern provider certificate --replace makes another"
            )
        }
        var information = stat()
        if stat(key, &information) == 0, information.st_mode & 0o077 != 0 {
            events.report(.configuration, "the key in '\(key)' can be read by others; chmod 600 mends that")
        }
        return context
    }
}
