import Glibc

/// The `posternd` that the next start takes, beside the one that runs: after an upgrade they are two until the old one ends.
///
/// Other programs may not see which file a daemon runs from, since its memory is closed to them. The time at which the file was put in
/// its place tells it, too.
struct InstalledDaemon {
    var path: String
    /// In seconds since 1970.
    var installed: Int64

    init(path: String, installed: Int64) {
        self.path = path
        self.installed = installed
    }

    /// The one that was installed together with this command; nil if there is none.
    init?(searchPath: String) {
        guard let path = Executable.companion("posternd", path: searchPath) else { return nil }
        var information = stat()
        // A package keeps the time at which the file was built; the status changes where it is put in its place.
        guard stat(path, &information) == 0 else { return nil }
        self.init(path: path, installed: Int64(information.st_ctim.tv_sec))
    }

    /// What to say of a daemon that started before its program was put there; nil of one that started after.
    func warning(startedAt: String, times: TimeText = .exact) -> String? {
        guard let started = EpochTime(startedAt), started.seconds < installed else { return nil }
        let time = EpochTime(seconds: installed).text.map { times.clock == nil ? " at \($0)" : " \(times.near($0))" } ?? ""
        return "an older posternd is running: \(path) was replaced\(time)"
    }
}
