/// Whether the daemon can write its store.
enum StateDirectoryCheck {
    static let title = "store"

    /// - Parameter paths: the directory, and the files in it that exist.
    static func findings(_ paths: [String], obstacle: (String) -> WriteObstacle?) -> [Finding] {
        for path in paths {
            guard let obstacle = obstacle(path) else { continue }
            return [.fail(title, "nothing can be kept: \(path) \(obstacle.sentence)", fix: obstacle.fix(path))]
        }
        return []
    }
}
