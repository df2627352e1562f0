import Glibc
import PosternDaemon

let given = CommandLineOptions.table.readOrExit()
if given.has(CommandLineOptions.openWithPortal) {
    Daemon.openWithPortal()
} else if given.has(CommandLineOptions.notifyWithPortal) {
    Daemon.notifyWithPortal()
} else if let directory = given.text(CommandLineOptions.makeCertificate) {
    exit(Daemon.makeCertificate(in: directory, replacing: given.has(CommandLineOptions.replace)))
} else if given.has(CommandLineOptions.forgetKey) {
    exit(Daemon.forgetKey(CommandLineOptions.daemonOptions(given)))
} else if given.has(CommandLineOptions.checkConfig) {
    exit(Daemon.checkConfiguration(CommandLineOptions.daemonOptions(given)))
} else {
    Daemon.run(CommandLineOptions.daemonOptions(given))
}
