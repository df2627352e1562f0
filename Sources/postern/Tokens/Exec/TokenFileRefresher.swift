import PosternClient

/// Replaces the tokens in files before they expire, as long as the process lives.
struct TokenFileRefresher: Sendable {
    struct Entry: Sendable {
        var variable: TokenVariable
        /// The account of the token. The account of a file never changes while a program reads it.
        var uid: String
        var expiresAt: Int64?
        var due: Int64
        /// A failure is reported once, until it works again.
        var isFailing = false

        init(variable: TokenVariable, uid: String, expiresAt: Int64?, now: Int64) {
            self.variable = variable
            self.uid = uid
            self.expiresAt = expiresAt
            due = TokenSchedule.renewal(expiresAt: expiresAt, now: now)
        }
    }

    let files: TokenFiles
    let socketPath: String
    let entries: [Entry]

    /// - Throws: if no thread can be started.
    func start() throws(CommandFailure) {
        guard DedicatedThread.start({ run() }) else { throw CommandFailure("no thread could be started") }
    }

    private func run() -> Never {
        var entries = entries
        while true {
            CalendarTime.sleep(until: entries.map(\.due).min() ?? .max)
            for index in entries.indices where entries[index].due <= CalendarTime.now { renew(&entries[index]) }
        }
    }

    private func renew(_ entry: inout Entry) {
        do {
            let connection = try PosternConnection(socketPath: socketPath)
            defer { connection.close() }
            let validity = TokenSchedule.validity(expiresAt: entry.expiresAt, now: CalendarTime.now)
            let token = try connection.bearerToken(
                Interface.GetAccessToken(providerID: entry.variable.account, minimumValiditySeconds: validity))
            guard token.uid == entry.uid else {
                throw CommandFailure("\(entry.variable.account) is now another account than when the command began".plain)
            }
            try files.write(token.text, to: entry.variable.name)
            entry = Entry(variable: entry.variable, uid: entry.uid, expiresAt: token.expiresAt, now: CalendarTime.now)
        } catch {
            entry.due = CalendarTime.now + TokenSchedule.pauseAfterFailure
            guard !entry.isFailing else { return }
            entry.isFailing = true
            var failure = CommandFailure(error)
            failure.sentence = "the token in \(entry.variable.name) is not replaced for now: \(failure.sentence)"
            Report.write(failure)
        }
    }
}
