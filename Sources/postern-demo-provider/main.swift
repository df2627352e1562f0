import DemoProvider
import Glibc
import NIOPosix
import ProgramOptions

let given = CommandLineOptions.table.readOrExit()
let options = CommandLineOptions.providerOptions(given)
// Before there is another thread, which would have its own mask.
let end = EndOfProgram()
let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
do {
    let port = given.integer(CommandLineOptions.port) ?? 0
    let provider = try DemoProvider.start(options: options, port: port, eventLoop: group.next()).wait()
    print("listening \(provider.issuer)")
    // A pipe is buffered, and whoever started this waits for the line.
    fflush(nil)
    end.wait(
        seconds: given.integer(CommandLineOptions.lifetime) ?? 3600, orEndOfInput: given.has(CommandLineOptions.exitWithStdin))
    try provider.close().wait()
    try? group.syncShutdownGracefully()
} catch {
    CommandLineOptions.table.fail("\(error)")
}
