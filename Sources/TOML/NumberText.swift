/// The grammar of integers and floats.
enum NumberText {
    /// In characters. Apart from zeros that nobody writes, no longer number fits 64 bits.
    static let longest = 128

    static func read(_ word: ArraySlice<UInt8>) throws(TOMLParseError.Reason) -> TOMLValue.Content {
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where word.starts(with: prefix.utf8) {
            return try prefixed(word.dropFirst(2), radix: radix)
        }
        if let special = special(word) { return .float(special) }
        return try decimal(word)
    }

    /// `inf` and `nan`, with or without a sign.
    static func special(_ word: ArraySlice<UInt8>) -> Double? {
        switch String(decoding: word, as: UTF8.self) {
        case "inf", "+inf": .infinity
        case "-inf": -.infinity
        case "nan", "+nan": .nan
        case "-nan": -.nan
        default: nil
        }
    }

    private static func prefixed(_ digits: ArraySlice<UInt8>, radix: Int) throws(TOMLParseError.Reason) -> TOMLValue.Content {
        let isDigit = { (byte: UInt8) in Character(Unicode.Scalar(byte)).hexDigitValue.map { $0 < radix } ?? false }
        guard let end = run(digits, from: digits.startIndex, of: isDigit), end == digits.endIndex else { throw .invalidNumber }
        guard let value = Int64(plain(digits), radix: radix) else { throw .integerTooLarge }
        return .integer(value)
    }

    private static func decimal(_ word: ArraySlice<UInt8>) throws(TOMLParseError.Reason) -> TOMLValue.Content {
        var index = word.startIndex
        if let sign = word.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { index += 1 }
        let whole = index
        guard let wholeEnd = run(word, from: whole, of: isDecimalDigit) else { throw .invalidNumber }
        guard wholeEnd - whole == 1 || word[whole] != UInt8(ascii: "0") else { throw .leadingZero }
        index = wholeEnd
        guard index < word.endIndex else {
            guard let value = Int64(plain(word)) else { throw .integerTooLarge }
            return .integer(value)
        }
        if word[index] == UInt8(ascii: ".") {
            guard let end = run(word, from: index + 1, of: isDecimalDigit) else { throw .invalidNumber }
            index = end
        }
        if index < word.endIndex, word[index] == UInt8(ascii: "e") || word[index] == UInt8(ascii: "E") {
            index += 1
            if index < word.endIndex, word[index] == UInt8(ascii: "+") || word[index] == UInt8(ascii: "-") { index += 1 }
            guard let end = run(word, from: index, of: isDecimalDigit) else { throw .invalidNumber }
            index = end
        }
        guard index == word.endIndex, let value = Double(plain(word)) else { throw .invalidNumber }
        return .float(value)
    }

    private static func isDecimalDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    /// The end of a run of digits with single underscores between them; nil if none begins, or if an underscore has no digit beside it.
    private static func run(_ word: ArraySlice<UInt8>, from start: Int, of isDigit: (UInt8) -> Bool) -> Int? {
        var index = start
        var mayBeUnderscore = false
        while index < word.endIndex {
            let byte = word[index]
            if isDigit(byte) {
                mayBeUnderscore = true
            } else if byte == UInt8(ascii: "_") {
                guard mayBeUnderscore else { return nil }
                mayBeUnderscore = false
            } else {
                break
            }
            index += 1
        }
        return mayBeUnderscore ? index : nil
    }

    private static func plain(_ digits: ArraySlice<UInt8>) -> String {
        String(decoding: digits.filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
    }
}
