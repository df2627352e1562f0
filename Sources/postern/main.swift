import Glibc

// Must happen before anything is opened.
StandardDescriptors.open()
// A name that was changed would be another name.
CommandWords.refuseOthersThanUTF8()
ChildEnd.keep()
// Under the name by which another program calls its helper, the words are that program's.
if let helper = HelperInvocation(CommandLine.arguments) {
    exit(helper.run())
}
let arguments = Array(CommandLine.arguments.dropFirst())
// The handler of a custom URL scheme: a desktop file's Exec can contain the program and %u, without a word between them.
if let url = URLArgument(arguments) {
    Program.run(["open-url", "--", url.text])
}
Program.run(arguments)
