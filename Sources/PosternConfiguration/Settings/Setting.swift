import TOML

/// A value of the merged files, with its position.
struct Setting: Sendable {
    enum Content: Sendable {
        case string(String)
        case integer(Int64)
        case boolean(Bool)
        case list([Setting])
        case table(SettingTable)
        /// A float or a date: no key accepts one.
        case other
    }

    let content: Content
    /// For error messages: `a string`.
    let typeName: String
    let position: SourcePosition

    /// - Parameter path: the keys that lead here.
    init(_ value: TOMLValue, path: [String], file: String) {
        position = SourcePosition(file: file, line: value.position.line)
        typeName = value.typeName
        switch value.content {
        case .string(let text): content = .string(text)
        case .integer(let number): content = .integer(number)
        case .boolean(let flag): content = .boolean(flag)
        case .float, .dateTime: content = .other
        case .array(let elements): content = .list(elements.map { Setting($0, path: path, file: file) })
        case .table(let table):
            content = .table(SettingTable(table, path: path, position: SourcePosition(file: file, line: value.position.line)))
        }
    }

    init(_ table: SettingTable) {
        content = .table(table)
        typeName = "a table"
        position = table.position
    }
}

/// A position in the configuration files.
struct SourcePosition: Sendable, Hashable {
    var file: String
    var line: Int

    func error(_ message: String) -> ConfigurationError { ConfigurationError(file: file, line: line, message: message) }
}
