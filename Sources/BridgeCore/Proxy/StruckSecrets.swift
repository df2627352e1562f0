import PosternValues

extension BridgeAnswer {
    /// Without what authorized the request, which a server may repeat: as it was sent, or percent-encoded. A field with it in its name is
    /// dropped.
    ///
    /// Only the whole of a secret counts. Tokens of one kind begin alike, and a session's identifier may be one, too.
    ///
    /// - Parameter authorization: the fields that authorized the request.
    public func striking(_ authorization: [(name: String, value: String)]) -> BridgeAnswer {
        let secrets = authorization.map { field in
            // Behind the scheme.
            let space = field.name.isEqualIgnoringCase("Authorization") ? field.value.unicodeScalars.firstIndex(of: " ") : nil
            return space.map { String(field.value.after($0)) } ?? field.value
        }
        let shortest = secrets.lazy.map(\.utf8.count).min() ?? 0
        guard headers.contains(where: { max($0.name.utf8.count, $0.value.utf8.count) >= shortest }) else { return self }
        var struck = self
        // Names may have been put in lower case.
        let lowercased = secrets.map { Array($0.lowercased().utf8) }
        struck.headers.removeAll { field in
            let name = field.name.lowercased().utf8
            return lowercased.contains { !$0.isEmpty && $0.count <= name.count && !Self.ranges(of: $0, in: Array(name)).isEmpty }
        }
        for secret in secrets.map({ Array($0.utf8) }) where !secret.isEmpty {
            for index in struck.headers.indices where struck.headers[index].value.utf8.count >= secret.count {
                struck.headers[index].value = Self.removing(secret, from: struck.headers[index].value)
            }
        }
        return struck
    }

    private static func removing(_ secret: [UInt8], from text: String) -> String {
        let bytes = Array(text.utf8)
        let ranges = ranges(of: secret, in: bytes).sorted { $0.lowerBound < $1.lowerBound }
        guard !ranges.isEmpty else { return text }
        var kept: [UInt8] = []
        var end = 0
        for range in ranges {
            // One that is found in both ways overlaps itself.
            if range.lowerBound >= end { kept += bytes[end..<range.lowerBound] + Array("removed".utf8) }
            end = max(end, range.upperBound)
        }
        return String(decoding: kept + bytes[end...], as: UTF8.self)
    }

    /// In bytes. Shorter texts would be found in ordinary words.
    private static let shortestSecret = 8

    /// Where the secret is, as it is or with escapes, in either case. A server chooses both texts, so the time is linear in them.
    private static func ranges(of secret: [UInt8], in text: [UInt8]) -> [Range<Int>] {
        var ranges = occurrences(of: secret, in: text).map { $0..<$0 + secret.count }
        if text.contains(UInt8(ascii: "%")) {
            let decoded = decoded(text)
            // A secret may have what looks like an escape.
            for form in Set([secret, Self.decoded(secret).bytes]) {
                ranges += occurrences(of: form, in: decoded.bytes).map { decoded.starts[$0]..<decoded.starts[$0 + form.count] }
            }
        }
        return ranges.filter { $0.count >= shortestSecret }
    }

    /// - Returns: the bytes, and where each of them, and the end, is in the text.
    private static func decoded(_ text: [UInt8]) -> (bytes: [UInt8], starts: [Int]) {
        var bytes: [UInt8] = []
        var starts = [0]
        while let start = starts.last, start < text.count {
            let escape = text[start] == UInt8(ascii: "%") ? PercentEncoding.decode(text[start...].prefix(3))?.first : nil
            bytes.append(escape ?? text[start])
            starts.append(start + (escape == nil ? 1 : 3))
        }
        return (bytes, starts)
    }

    /// Where the secret begins (Knuth, Morris and Pratt).
    private static func occurrences(of secret: [UInt8], in text: [UInt8]) -> [Int] {
        let all = secret + text
        // For each end, how much of the secret's beginning is there.
        var lengths = [0]
        for index in all.indices.dropFirst() {
            var length = lengths[index - 1]
            while length > 0, length == secret.count || all[length] != all[index] { length = lengths[length - 1] }
            lengths.append(all[length] == all[index] ? length + 1 : 0)
        }
        return text.indices.map { $0 + 1 - secret.count }.filter { $0 >= 0 && lengths[$0 + 2 * secret.count - 1] == secret.count }
    }
}
