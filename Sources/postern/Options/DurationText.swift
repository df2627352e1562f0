/// `90s`, `10m`, `1h`: the same form as in the configuration.
struct DurationText: Equatable, Sendable {
    var seconds: Int

    init?(_ text: String) {
        guard let unit = text.last, let factor = ["s": 1, "m": 60, "h": 3600][unit] else { return nil }
        let digits = text.dropLast()
        // Five digits are a day in seconds; anything longer is no duration that is meant here.
        guard (1...5).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int(digits) else { return nil }
        seconds = count * factor
    }
}
