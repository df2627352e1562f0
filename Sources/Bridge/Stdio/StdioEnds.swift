import NIOCore

/// A client's ends, as one session has them.
struct StdioEnds {
    let input: StdioInput
    let output: StdioOutput
    var errors = ErrorOutput()
    let eventLoop: any EventLoop
}
