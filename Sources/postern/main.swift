import Glibc

// Before anything is opened.
StandardDescriptors.open()
// Other programs run a helper for each of their own calls: it goes past the argument parser, too.
if let helper = HelperInvocation(CommandLine.arguments) {
    exit(helper.run())
}
// `postern token` is called in loops: a plain command line goes past the argument parser, which costs more than the call.
if let request = TokenRequest(simple: Array(CommandLine.arguments.dropFirst())) {
    exit(request.run().rawValue)
}
// The handler of a custom URL scheme: a desktop file's Exec can hold the program and %u, and no word between them.
if let url = URLArgument(Array(CommandLine.arguments.dropFirst())) {
    Program.run(["open-url", "--", url.text])
} else {
    Program.run(Array(CommandLine.arguments.dropFirst()))
}
