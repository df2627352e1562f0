import PosternClient

/// Starting the daemon, which tells of the providers.
extension SetupDialogue {
    func startDaemon() throws {
        let problem: PosternError
        do throws(PosternError) {
            try connect().close()
            return
        } catch {
            problem = error
        }
        let units = SystemdUnits(environment: environment)
        // A socket other than systemd's is the user's own responsibility.
        let isUsual = socketPath == SocketPath.current && (environment["POSTERN_SOCKET"] ?? "").isEmpty
        guard case .daemonUnreachable = problem, isUsual else { throw problem }
        guard units.isThere else {
            // If there is no place for the socket either, the problem itself says what to do.
            guard !PosternError.lacksRuntimeDirectory(socketPath) else { throw problem }
            throw CommandFailure(
                "the daemon is not running", status: .daemonUnreachable,
                advice: "start it in the background: \(DaemonStart.inBackground)")
        }
        let question = "The daemon is not running. Make systemd start it when it is needed (systemctl --user enable --now postern.socket)?"
        guard answers.isYes || prompt != nil else {
            throw CommandFailure(
                "the daemon is not running", status: .daemonUnreachable,
                advice: "systemctl --user enable --now postern.socket; or give --yes"
            )
        }
        if let prompt, try !prompt.isYes(question, byDefault: true) { throw AccountDialogue.declined }
        guard units.run(["enable", "--now", "postern.socket"]) else {
            throw CommandFailure(
                "systemd did not start the socket", status: .daemonUnreachable,
                advice: "postern doctor says more; you can also start the daemon in the background: \(DaemonStart.inBackground)")
        }
        try connect().close()
    }
}
