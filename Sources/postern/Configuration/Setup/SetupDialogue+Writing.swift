import PosternClient
import PosternConfiguration

/// Writing what was agreed to.
extension SetupDialogue {
    func write(
        _ secrets: [(PlacedSecret, String)], to text: ConfigurationText, _ makeUpdate: (ConfigurationText) throws -> ConfigurationUpdate
    ) throws {
        let update = try makeUpdate(text)
        let file = ConfigurationPlace.short(update.change.file, environment)
        guard !update.change.isNothing || !secrets.isEmpty else {
            return say("Nothing needs to change: \(file) says all of this already.".plain)
        }
        if update.change.isNothing {
            say("", "\(file) needs no change. This is written:".plain)
        } else {
            say("", "This goes into \(file)\(update.change.isNew ? "" : ", which is there already"):".plain)
            for line in update.lines { say("  " + line) }
        }
        for (placed, _) in secrets {
            for line in try placed.announcement() { say((update.change.isNothing ? "  " : "and ") + line.plain) }
        }
        if let prompt, try !prompt.isYes("Write it?", byDefault: true) { throw AccountDialogue.declined }
        try self.file.locked(text, environment) { present in
            let current = try makeUpdate(present)
            // Another command may have changed the files since they were read; what was agreed to is written, and nothing else.
            guard current.change.file == update.change.file, current.lines == update.lines else {
                throw CommandFailure("\(file) has changed in the meantime and was not written".plain, advice: "run this command again")
            }
            try apply(current, secrets)
        }
    }

    private func apply(_ update: ConfigurationUpdate, _ secrets: [(PlacedSecret, String)]) throws {
        // If the client is not accepted, its secret must not replace the one that works.
        var undo: [() throws -> Void] = []
        do {
            for (placed, secret) in secrets {
                undo.append(try placed.undo(of: secret))
                try placed.store(secret)
            }
            undo.append(try update.write())
            _ = try call(Interface.Reload())
        } catch {
            for step in undo.reversed() {
                do { try step() } catch { say("it could not be restored: \(error)".plain) }
            }
            throw error
        }
    }
}
