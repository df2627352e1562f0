import StrictJSON

/// What one look at the machine has shown.
struct Finding: Equatable {
    enum Level: String {
        case ok
        /// Works, but not for everything; or could not be looked at.
        case warn
        case fail
    }

    var level: Level
    var title: String
    var detail: String
    /// What mends it.
    var mend: String?

    static func ok(_ title: String, _ detail: String) -> Finding { Finding(level: .ok, title: title, detail: detail) }

    static func warn(_ title: String, _ detail: String, mend: String? = nil) -> Finding {
        Finding(level: .warn, title: title, detail: detail, mend: mend)
    }

    static func fail(_ title: String, _ detail: String, mend: String? = nil) -> Finding {
        Finding(level: .fail, title: title, detail: detail, mend: mend)
    }

    var object: JSONObject {
        var object: JSONObject = ["level": level.rawValue.json, "title": title.json, "detail": detail.json]
        object.set("mend", mend)
        return object
    }

    func lines(terminal: Terminal) -> [String] {
        let colours: [Level: Terminal.Colour] = [.ok: .green, .warn: .yellow, .fail: .red]
        let word = level.rawValue
        let mark = terminal.paint(word, colours[level] ?? .bold) + String(repeating: " ", count: 6 - word.count)
        var lines = [mark + title.plain + ": " + detail.plain]
        if let mend { lines.append("      mend: " + mend.plain) }
        return lines
    }
}
