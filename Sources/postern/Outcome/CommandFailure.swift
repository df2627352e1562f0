/// Why a command did not do what was asked: a sentence for standard error, and the status to end with.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
    var status: CommandStatus
    /// Empty where all has been said already.
    var sentence: String
    /// What to try; stands on a line of its own.
    var advice: String?

    init(_ sentence: String, status: CommandStatus = .failed, advice: String? = nil) {
        self.status = status
        self.sentence = sentence
        self.advice = advice
    }

    var description: String { sentence }
}
