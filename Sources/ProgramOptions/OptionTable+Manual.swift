import StrictJSON

extension OptionTable {
    /// The input from which `packaging/manuals.py` makes the pages.
    var manual: String { JSON.object(["serializationVersion": 0, "command": .object(description)]).text + "\n" }

    private var description: JSONObject {
        var all = options.map(\.json)
        if version != nil { all.append(ProgramOption.json(kind: "flag", names: ["version"], help: "Show the version.")) }
        all.append(ProgramOption.json(kind: "flag", letter: "h", names: ["help"], help: "Show help information."))
        var command: JSONObject = [
            "commandName": .string(words.last ?? program), "abstract": .string(abstract), "discussion": .string(discussion),
            "arguments": .array(all), "shouldDisplay": true,
        ]
        if !aliases.isEmpty { command["aliases"] = .array(aliases.map { .string($0) }) }
        if !sections.isEmpty { command["subcommands"] = .array(commands.map { .object(table(of: $0).description) }) }
        return command
    }
}

extension ProgramOption {
    fileprivate var json: JSON {
        var more: [(String, JSON)] = []
        if takesValue { more.append(("valueName", .string(valueName))) }
        if let fallback { more.append(("defaultValue", .string(fallback))) }
        let names = hasOpposite ? [name, "no-\(name)"] : [name]
        return Self.json(
            kind: !isNamed ? "positional" : takesValue ? "option" : "flag", letter: letter, names: isNamed ? names : [], help: help,
            isOptional: !isRequired, isHidden: isHidden, isRepeating: isRepeating, more: more)
    }

    fileprivate static func json(
        kind: String, letter: Unicode.Scalar? = nil, names: [String], help: String, isOptional: Bool = true, isHidden: Bool = false,
        isRepeating: Bool = false, more: [(String, JSON)] = []
    ) -> JSON {
        var object: JSONObject = [
            "kind": .string(kind), "abstract": .string(help), "isOptional": .bool(isOptional), "isRepeating": .bool(isRepeating),
            "shouldDisplay": .bool(!isHidden),
        ]
        let long = names.map { name -> JSON in ["kind": "long", "name": .string(name)] }
        if let preferred = long.first {
            object["names"] = .array((letter.map { [["kind": "short", "name": .string(String($0))]] } ?? []) + long)
            object["preferredName"] = preferred
        }
        for (key, value) in more { object[key] = value }
        return .object(object)
    }
}
