import Glibc

// `postern token` is called in loops: a plain command line goes past the argument parser, which costs more than the call.
if let request = TokenRequest(simple: Array(CommandLine.arguments.dropFirst())) {
    exit(request.run().rawValue)
}
Postern.main()
