import Glibc

// Must happen before anything is opened.
StandardDescriptors.open()
// A name that was changed would be another name.
CommandWords.refuseOthersThanUTF8()
ChildEnd.keep()
// Other programs run a helper for each of their own calls, so it bypasses the argument parser, too.
if let helper = HelperInvocation(CommandLine.arguments) {
    exit(helper.run())
}
let arguments = Array(CommandLine.arguments.dropFirst())
// `postern token` is called in loops, so it creates no command at all.
if let request = TokenRequest(plain: arguments) {
    exit(request.run().rawValue)
}
// The handler of a custom URL scheme: a desktop file's Exec can contain the program and %u, without a word between them.
if let url = URLArgument(arguments) {
    Program.run(["open-url", "--", url.text])
}
Program.run(arguments)
