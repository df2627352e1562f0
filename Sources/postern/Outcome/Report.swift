/// How a failure is told.
enum Report {
    static func write(_ failure: CommandFailure) {
        guard !failure.sentence.isEmpty else { return }
        StandardError.write(line: "postern: " + failure.sentence)
        if let advice = failure.advice { StandardError.write(line: "  " + advice) }
    }
}
