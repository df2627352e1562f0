import StrictJSON

extension Description {
    /// A value with everything that can be in it, or one with only what must be.
    func sample(of shape: Shape, isFull: Bool) -> JSON {
        switch shape {
        case .string: .string("text \"quoted\" ü")
        case .int, .float: .integer(isFull ? 9_007_199_254_740_993 : 0)
        case .bool: .bool(isFull)
        case .object, .any: .object(isFull ? ["as": ["it", nil, 1.0.json], "came": ["a": true]] : JSONObject())
        case .named(let name): types[name].map { sample(of: $0, isFull: isFull) } ?? .null
        case .nullable(let inner): sample(of: inner, isFull: isFull)
        case .array(let inner): isFull ? [sample(of: inner, isFull: true), sample(of: inner, isFull: false)] : []
        case .map(let inner): isFull ? ["a key": sample(of: inner, isFull: true)] : [:]
        case .enumeration(let words): .string((isFull ? words.last : words.first) ?? "")
        case .structure(let fields): .object(sample(of: fields, isFull: isFull))
        }
    }

    func sample(of fields: [Field], isFull: Bool) -> JSONObject {
        var object = JSONObject()
        for field in fields {
            if !isFull, case .nullable = field.type { continue }
            object[field.name] = sample(of: field.type, isFull: isFull)
        }
        return object
    }

    /// The minimal value with `null` for all that is optional.
    func nullSample(of fields: [Field]) -> JSONObject {
        var object = sample(of: fields, isFull: false)
        for field in fields {
            if case .nullable = field.type { object[field.name] = .null }
        }
        return object
    }

    /// A value that the shape does not allow.
    func wrongSample(of shape: Shape) -> JSON {
        switch shape {
        case .nullable(let inner): wrongSample(of: inner)
        case .named(let name): types[name].map { wrongSample(of: $0) } ?? .null
        case .string, .bool: .integer(1)
        case .int, .float, .any: .decimal("1.5")
        case .enumeration: .string("no such word")
        case .array, .map, .structure, .object: .string("text")
        }
    }
}

extension Double {
    fileprivate var json: JSON { .decimal("\(self)") }
}
