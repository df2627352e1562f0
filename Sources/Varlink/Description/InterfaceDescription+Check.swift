import StrictJSON

extension InterfaceDescription {
    /// Checks an object against fields of this interface, as parameters of a call, a reply or an error.
    ///
    /// - Throws: an error for the first member that is missing, unknown, or of another type.
    public func check(_ object: JSONObject, against fields: [Field]) throws(JSONMemberError) {
        try check(object, against: fields, path: "")
    }

    private func check(_ object: JSONObject, against fields: [Field], path: String) throws(JSONMemberError) {
        let prefix = path.isEmpty ? "" : "\(path)."
        for member in object.members where !fields.contains(where: { $0.name == member.key }) {
            throw JSONMemberError(path: prefix + member.key, reason: .unknown)
        }
        for field in fields {
            let fieldPath = prefix + field.name
            if let value = object[field.name] {
                try check(value, against: field.type, path: fieldPath)
            } else if case .nullable = field.type {
                continue
            } else {
                throw JSONMemberError(path: fieldPath, reason: .missing)
            }
        }
    }

    private func check(_ value: JSON, against type: TypeExpression, path: String) throws(JSONMemberError) {
        switch (type, value) {
        case (.bool, .bool), (.int, .integer), (.float, .integer), (.float, .decimal), (.string, .string), (.object, .object), (.any, _),
            (.nullable, .null):
            return
        case (.nullable(let inner), _):
            try check(value, against: inner, path: path)
        case (.named(let name), _):
            guard let definition = self.type(named: name) else { throw JSONMemberError(path: path, reason: .unknown) }
            try check(value, against: definition.type, path: path)
        case (.structure(let fields), .object(let object)):
            try check(object, against: fields, path: path)
        case (.enumeration(let words), .string(let word)):
            guard words.contains(word) else {
                throw JSONMemberError(path: path, reason: .notAllowed("must be one of \(words.joined(separator: ", "))"))
            }
        case (.array(let inner), .array(let elements)):
            for (index, element) in elements.enumerated() { try check(element, against: inner, path: "\(path)[\(index)]") }
        case (.map(let inner), .object(let object)):
            for member in object.members { try check(member.value, against: inner, path: "\(path).\(member.key)") }
        default:
            throw JSONMemberError(path: path, reason: .wrongType(expected: type.expectation, found: value.typeName))
        }
    }
}

extension InterfaceDescription.TypeExpression {
    fileprivate var expectation: String {
        switch self {
        case .bool: "a boolean"
        case .int: "an integer"
        case .float: "a number"
        case .string, .enumeration: "a string"
        case .array: "an array"
        case .object, .structure, .map, .named: "an object"
        case .any: "a value"
        case .nullable(let inner): "\(inner.expectation) or null"
        }
    }
}
