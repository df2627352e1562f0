import StrictJSON

extension OptionTable {
    /// The input from which `packaging/manuals.py` makes the page; in ArgumentParser's format for describing a program, so that it reads
    /// only one format.
    var manual: String {
        var all = options.map(\.json)
        if version != nil { all.append(Self.question([.long("version")], "Show the version.")) }
        all.append(Self.question([.short("h"), .long("help")], "Show help information."))
        let command: JSON = [
            "commandName": .string(program), "abstract": .string(abstract), "discussion": .string(discussion), "arguments": .array(all),
            "shouldDisplay": true,
        ]
        let document: JSON = ["serializationVersion": 0, "command": command]
        return document.text + "\n"
    }

    private static func question(_ names: [Name], _ abstract: String) -> JSON {
        ProgramOption.json(kind: "flag", names: names, abstract: abstract, isHidden: false)
    }

    fileprivate enum Name {
        case short(String)
        case long(String)

        var json: JSON {
            switch self {
            case .short(let name): ["kind": "short", "name": .string(name)]
            case .long(let name): ["kind": "long", "name": .string(name)]
            }
        }
    }
}

extension ProgramOption {
    fileprivate var json: JSON {
        guard takesValue else {
            return Self.json(kind: "flag", names: [.long(name)], abstract: help, isHidden: isHidden)
        }
        var more: [(String, JSON)] = [("valueName", .string(valueName))]
        if let fallback { more.append(("defaultValue", .string(fallback))) }
        return Self.json(kind: "option", names: [.long(name)], abstract: help, isHidden: isHidden, isRepeating: isRepeating, more: more)
    }

    fileprivate static func json(
        kind: String, names: [OptionTable.Name], abstract: String, isHidden: Bool, isRepeating: Bool = false, more: [(String, JSON)] = []
    ) -> JSON {
        var object: JSONObject = [
            "kind": .string(kind), "names": .array(names.map(\.json)), "preferredName": names.last?.json ?? .null,
            "abstract": .string(abstract), "isOptional": true, "isRepeating": .bool(isRepeating), "shouldDisplay": .bool(!isHidden),
        ]
        for (key, value) in more { object[key] = value }
        return .object(object)
    }
}
