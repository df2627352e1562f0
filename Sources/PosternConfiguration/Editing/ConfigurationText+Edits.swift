import PosternCore
import TOML

extension ConfigurationText {
    /// One step of a change that may concern several files.
    public enum Edit: Sendable {
        /// In the user's file that has the key, or else its section, or else in the main file.
        case set([String], ConfigurationValue)
        /// In every file of the user's that has it, which must be all.
        case unset([String])
        /// In every file of the user's that has it. What other files say of it stays in force.
        case unsetOwn([String])
        /// In every file of the user's that has it, which must be all. Its last part gets the name.
        case rename([String], to: String)
    }

    /// The files as they would be after the edits; empty if these change nothing. Nothing is written here.
    ///
    /// - Throws: if a key to be removed or renamed stands in a file that is not the user's, or if the changed configuration would be refused.
    public func changes(_ edits: [Edit]) throws -> [Change] {
        var texts: [(file: String, text: TOMLText)] = []
        func change(_ file: String, _ path: [String], _ body: (inout TOMLText) throws(TOMLEditError) -> Void) throws {
            let index = texts.firstIndex { $0.file == file } ?? texts.count
            if index == texts.count { texts.append((file, try text(of: file))) }
            try Self.edit(file, path) { () throws(TOMLEditError) in try body(&texts[index].text) }
        }
        for edit in edits {
            switch edit {
            case .set(let path, let value):
                let file = userFile(with: path) ?? userFile(withSectionOf: path) ?? mainFile
                try change(file, path) { text throws(TOMLEditError) in try text.set(path, to: value.text) }
            case .unset(let path):
                for file in try ownFiles(with: path, to: "removed") {
                    try change(file, path) { text throws(TOMLEditError) in _ = try text.unset(path) }
                }
            case .unsetOwn(let path):
                for file in files where file.origin == .user && Self.has(path, in: file) {
                    try change(file.path, path) { text throws(TOMLEditError) in _ = try text.unset(path) }
                }
            case .rename(let path, let name):
                for file in try ownFiles(with: path, to: "renamed") {
                    try change(file, path) { text throws(TOMLEditError) in _ = try text.rename(path, to: name) }
                }
            }
        }
        var changes: [Change] = []
        for (file, text) in texts {
            let existing = files.first { $0.path == file }
            let change = Change(file: file, before: existing?.bytes ?? [], after: text.bytes, isNew: existing == nil)
            if !change.isNothing { changes.append(change) }
        }
        let replaced = changes.map { ($0.file, Optional($0.after)) }
        try check(replacing: Dictionary(replaced, uniquingKeysWith: { first, _ in first }))
        return changes
    }

    /// - Parameter fate: what cannot happen to it in another's file.
    private func ownFiles(with path: [String], to fate: String) throws(ConfigurationEditError) -> [String] {
        let there = files.filter { Self.has(path, in: $0) }
        if let other = there.first(where: { $0.origin != .user }) {
            throw ConfigurationEditError("\(Self.shown(path)) stands in \(other.path), which is not yours, so it cannot be \(fate) here")
        }
        return there.map(\.path)
    }
}
