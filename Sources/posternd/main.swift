import Glibc
import PosternDaemon

// If whoever started this program ignores SIGCHLD, so does this program, and how its children end would be lost (execve(2)).
signal(SIGCHLD, SIG_DFL)
let given = CommandLineOptions.table.readOrExit()
if given.has(CommandLineOptions.openWithPortal) {
    Daemon.openWithPortal()
} else if given.has(CommandLineOptions.notifyWithPortal) {
    Daemon.notifyWithPortal()
} else if let directory = given.text(CommandLineOptions.makeCertificate) {
    exit(Daemon.makeCertificate(in: directory, replacing: given.has(CommandLineOptions.replace)))
} else if given.has(CommandLineOptions.forgetKey) {
    exit(Daemon.forgetKey(CommandLineOptions.daemonOptions(given)))
} else if given.has(CommandLineOptions.system) {
    exit(Daemon.checkSharedConfiguration(CommandLineOptions.daemonOptions(given)))
} else if given.has(CommandLineOptions.checkConfig) {
    exit(
        Daemon.checkConfiguration(CommandLineOptions.daemonOptions(given), isElsewhere: given.has(CommandLineOptions.elsewhere)))
} else {
    Daemon.run(CommandLineOptions.daemonOptions(given))
}
