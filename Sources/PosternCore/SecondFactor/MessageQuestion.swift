/// A code is to go to a telephone: may it?
public struct MessageQuestion: Sendable {
    public var number: PhoneNumber
    /// Messages to the number, and to all numbers, of late.
    public var toNumber: Attempts?
    public var inAll: Attempts?
    public var now: Timestamp

    public init(number: PhoneNumber, toNumber: Attempts?, inAll: Attempts?, now: Timestamp) {
        self.number = number
        self.toNumber = toNumber
        self.inAll = inAll
        self.now = now
    }

    /// - Returns: what is to be counted, before the message goes: one that may have been sent counts.
    public func counted() throws(SecondFactorRefusal) -> [AttemptSubject: Attempts] {
        let waits = [
            AttemptLimit.messagesToOneNumber.wait(after: toNumber, now: now), AttemptLimit.messagesInAll.wait(after: inAll, now: now),
        ]
        if let seconds = waits.compactMap(\.self).max() { throw .tooManyMessages(seconds: seconds) }
        return [
            .message(to: number): AttemptLimit.messagesToOneNumber.adding(to: toNumber, now: now),
            .messages: AttemptLimit.messagesInAll.adding(to: inAll, now: now),
        ]
    }
}
