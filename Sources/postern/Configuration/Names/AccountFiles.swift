import PosternClient
import PosternConfiguration

/// The configuration that the daemon reads, for commands that name accounts.
struct AccountFiles {
    /// Nil for the usual one.
    let mainFile: String?

    private var environment: [String: String] { ProcessEnvironment.current }

    init(mainFile: String?) { self.mainFile = mainFile }

    init(asking connection: PosternConnection) throws {
        self.init(mainFile: try connection.call(Interface.GetStatus()).configurationFile)
    }

    func text() throws -> ConfigurationText {
        guard let path = mainFile ?? UserDirectories.configurationFile(environment: environment) else {
            throw CommandFailure("cannot tell where the configuration is: HOME is not set")
        }
        return try ConfigurationText(path: path, environment: environment)
    }

    func settings() throws -> AccountSettings { try AccountSettings(try text()) }

    /// Writes a change and has the daemon take it up. If it does not, the files are as before.
    ///
    /// - Parameter edits: made of the files as they are once nobody else can change them.
    /// - Returns: what was changed, for the person.
    @discardableResult
    func change(
        over connection: PosternConnection, _ edits: (AccountSettings) throws -> [ConfigurationText.Edit]
    ) throws -> [String] {
        do {
            let main = try text().mainFile
            return try ConfigurationLock.held(for: main) {
                let present = try text()
                let updates = try present.changes(try edits(AccountSettings(present))).map(ConfigurationUpdate.init)
                var undo: [() throws -> Void] = []
                do {
                    for update in updates { undo.append(try update.write()) }
                    if !updates.isEmpty { _ = try connection.call(Interface.Reload()) }
                } catch {
                    for step in undo.reversed() {
                        do { try step() } catch { StandardError.tell("it could not be restored: \(error)".plain) }
                    }
                    throw error
                }
                return updates.flatMap { ["\($0.change.file):".plain] + $0.lines }
            }
        } catch {
            throw CommandFailure(editing: error)
        }
    }
}
