/// How the command ends, for scripts.
enum CommandStatus: Int32 {
    case done = 0
    /// The reason is on standard error.
    case failed = 1
    /// The person said no, cancelled, or time ran out.
    case declined = 2
    /// Nothing usable is stored; `postern sign-in` comes first.
    case signInNeeded = 3
    case daemonUnreachable = 4
    /// `EX_USAGE` of sysexits.h.
    case wrongUsage = 64
}
