import PosternCore

/// Who is signed in to which app, if a Firebase project has the accounts.
struct FirebaseSessionTable {
    let connection: Connection
    let sealer: Sealer

    /// - Parameter project: users of another project do not count.
    func session(app: String, project: String) throws(StoreError) -> FirebaseSession? {
        let sealed = try connection.first(
            "SELECT sealed FROM firebase_sessions WHERE app = ? AND project = ?",
            [.text(app), .blob(sealer.index(firebaseProject: project))]
        ) { (row: borrowing Row) throws(StoreError) in try row.blob(0) }
        guard let sealed else { return nil }
        return try sealer.open(sealed, at: Place(.firebaseSession, app))
    }

    /// Apps whose current user is anonymous; unreadable rows are left out.
    func anonymousApps(project: String) throws(StoreError) -> Int {
        try connection.listing(
            "SELECT app, sealed FROM firebase_sessions WHERE project = ?", [.blob(sealer.index(firebaseProject: project))]
        ) { (row: borrowing Row) throws(StoreError) in
            try sealer.open(try row.blob(1), at: Place(.firebaseSession, try row.text(0))) as FirebaseSession
        }.values.count { $0.user.isAnonymous }
    }

    /// To be called inside a transaction.
    func set(_ session: FirebaseSession) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO firebase_sessions (app, project, sealed) VALUES (?1, ?2, ?3)
            ON CONFLICT (app) DO UPDATE SET project = ?2, sealed = ?3
            """,
            [
                .text(session.app), .blob(sealer.index(firebaseProject: session.project)),
                .blob(try sealer.seal(session, at: Place(.firebaseSession, session.app))),
            ])
    }

    func delete(app: String) throws(StoreError) {
        try connection.run("DELETE FROM firebase_sessions WHERE app = ?", [.text(app)])
    }
}
