import Glibc

/// How times are shown: to a program as the daemon wrote them, to a user in the local zone and relative to now.
struct TimeText: Sendable {
    /// The time and zone for a user.
    struct Clock: Sendable {
        var now: EpochTime
        /// Seconds east of UTC at a given time. They change within a year, so each time has its own.
        var offset: @Sendable (EpochTime) -> Int64
    }

    /// Nil leaves RFC 3339 in UTC unchanged.
    let clock: Clock?

    /// For a pipe, a file, and any program that reads a document.
    static let exact = TimeText(clock: nil)

    /// For the stream that a user reads, or a program instead of the user.
    ///
    /// - Parameter isTerminal: whether that stream is a terminal.
    static func current(isTerminal: Bool) -> TimeText {
        isTerminal ? TimeText(clock: Clock(now: EpochTime(seconds: CalendarTime.now), offset: LocalZone.offset)) : .exact
    }

    /// A time to wait for or look back to: `in 9 min`, `3 min ago`, or else as ``date(_:)``.
    ///
    /// A text that is not a time is shown unchanged.
    func near(_ text: String) -> String {
        guard let clock, let time = EpochTime(text) else { return text }
        let distance = time.seconds - clock.now.seconds
        guard let length = Self.length(abs(distance)) else { return date(text) }
        return distance == 0 ? "now" : distance > 0 ? "in \(length)" : "\(length) ago"
    }

    /// For a user; a program that reads exact times compares them itself.
    func isPast(_ text: String) -> Bool {
        guard let clock, let time = EpochTime(text) else { return false }
        return time.seconds <= clock.now.seconds
    }

    /// A day and a time of day: `today 14:05`, `tomorrow 09:00`, `2026-12-24 18:00`.
    func date(_ text: String) -> String {
        guard let clock, let time = EpochTime(text), let local = local(time, clock) else { return text }
        return day(of: time, clock).map { "\($0) \(local.time.prefix(5))" } ?? "\(local.date) \(local.time.prefix(5))"
    }

    /// As ``date(_:)``, without the word for today: `14:05`, `tomorrow 09:00`.
    func moment(_ text: String) -> String {
        let date = date(text)
        return date.rest(after: "today ").map(String.init) ?? date
    }

    /// For consecutive lines: `14:05:33`, with the date if it is another day.
    func stamp(_ text: String) -> String {
        guard let clock, let time = EpochTime(text), let local = local(time, clock) else { return text }
        return day(of: time, clock) == "today" ? String(local.time) : "\(local.date) \(local.time)"
    }

    /// The end of a wait: `14:05 (10 min)`, preceded by the day if it is not today.
    func end(_ text: String) -> String {
        guard let clock, let time = EpochTime(text) else { return text }
        let shown = moment(text)
        guard time.seconds > clock.now.seconds, let length = Self.length(time.seconds - clock.now.seconds) else { return shown }
        return "\(shown) (\(length))"
    }

    /// `45 s`, `9 min`; nil for a time that is better shown by its date.
    private static func length(_ seconds: Int64) -> String? {
        guard seconds >= 60 else { return "\(seconds) s" }
        let minutes = (seconds + 30) / 60
        return minutes < 60 ? "\(minutes) min" : nil
    }

    private func local(_ time: EpochTime, _ clock: Clock) -> (date: Substring, time: Substring)? {
        // 2026-11-22T14:05:33Z, with the digits of the local time.
        guard let text = EpochTime(seconds: time.seconds + clock.offset(time)).text else { return nil }
        return (text.prefix(10), text.dropFirst(11).prefix(8))
    }

    private func day(of time: EpochTime, _ clock: Clock) -> String? {
        func number(_ time: EpochTime) -> Int64 {
            let seconds = time.seconds + clock.offset(time)
            return (seconds >= 0 ? seconds : seconds - 86399) / 86400
        }
        switch number(time) - number(clock.now) {
        case -1: return "yesterday"
        case 0: return "today"
        case 1: return "tomorrow"
        default: return nil
        }
    }
}

/// The time left, for a line that counts down: `9:42`, `1:02:03`.
enum Countdown {
    /// Nil if it has passed, or is not a time.
    static func text(until end: String, now: EpochTime) -> String? {
        guard let end = EpochTime(end), end.seconds > now.seconds else { return nil }
        let left = end.seconds - now.seconds
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let (hours, minutes, seconds) = (left / 3600, left / 60 % 60, left % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(seconds))" : "\(minutes):\(two(seconds))"
    }
}

/// The zone of `TZ`, else of `/etc/localtime`.
enum LocalZone {
    /// Seconds east of UTC at that time; 0 if the C library does not know.
    @Sendable static func offset(at time: EpochTime) -> Int64 {
        var (seconds, parts) = (time_t(time.seconds), tm())
        // Unlike localtime(3), localtime_r(3) need not load the zone.
        tzset()
        return localtime_r(&seconds, &parts) == nil ? 0 : Int64(parts.tm_gmtoff)
    }
}
