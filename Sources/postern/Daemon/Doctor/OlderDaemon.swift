/// What to say of a daemon whose program was replaced: after an upgrade two versions exist until the old daemon exits.
///
/// It reports this itself: its memory is closed to other programs, so they may not see which file it runs from, and times would mislead if
/// the clock had been set meanwhile.
enum OlderDaemon {
    static let sentence = "an older posternd is running: its program was replaced or removed"

    /// Only a daemon that a call starts again exits by itself, and the daemon does not say who started it.
    static let whatFollows =
        "if systemd started it, it exits when it is idle, and the next call starts the new one; if you did, stop it and run it again"
}
