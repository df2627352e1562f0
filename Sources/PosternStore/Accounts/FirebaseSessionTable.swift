import PosternCore

/// Who is signed in to which app, if a Firebase project has the accounts.
struct FirebaseSessionTable: SealedTable {
    let connection: Connection
    let sealer: Sealer

    /// - Parameter project: users of another project do not count.
    func session(app: AppName, project: String) throws(StoreError) -> FirebaseSession? {
        let index = sealer.index(firebaseProject: project)
        return try first(
            "SELECT sealed FROM firebase_sessions WHERE app = ? AND project = ?", [.text(app.text), .blob(index)],
            at: place(app: app, project: index))
    }

    /// The app's sign-in, of whichever project.
    func session(app: AppName) throws(StoreError) -> FirebaseSession? {
        let row = try connection.first("SELECT project, sealed FROM firebase_sessions WHERE app = ?", [.text(app.text)]) {
            (row: borrowing Row) throws(StoreError) in (project: try row.blob(0), sealed: try row.blob(1))
        }
        return try row.map { row throws(StoreError) in try sealer.open(row.sealed, at: place(app: app, project: row.project)) }
    }

    /// The user's sign-ins, of all apps; unreadable rows are left out.
    func all(ofUser uid: String, project: String) throws(StoreError) -> [FirebaseSession] {
        try all(project: project).filter { $0.user.uid == uid }
    }

    /// Apps whose current user is anonymous; unreadable rows are left out.
    func anonymousApps(project: String) throws(StoreError) -> Int { try all(project: project).count { $0.user.isAnonymous } }

    /// Of all apps; unreadable rows are left out.
    func all(project: String) throws(StoreError) -> [FirebaseSession] {
        let index = sealer.index(firebaseProject: project)
        return try connection.listing("SELECT app, sealed FROM firebase_sessions WHERE project = ?", [.blob(index)]) {
            (row: borrowing Row) throws(StoreError) in
            try sealer.open(try row.blob(1), at: place(app: AppName(try row.text(0)), project: index)) as FirebaseSession
        }.values
    }

    /// To be called inside a transaction.
    func set(_ session: FirebaseSession) throws(StoreError) {
        let index = sealer.index(firebaseProject: session.project)
        try connection.run(
            """
            INSERT INTO firebase_sessions (app, project, sealed) VALUES (?1, ?2, ?3)
            ON CONFLICT (app) DO UPDATE SET project = ?2, sealed = ?3
            """,
            [
                .text(session.app.text), .blob(index), .blob(try sealer.seal(session, at: place(app: session.app, project: index))),
            ])
    }

    func delete(app: AppName) throws(StoreError) {
        try connection.run("DELETE FROM firebase_sessions WHERE app = ?", [.text(app.text)])
    }

    /// Sealed together with the project: a session that was assigned to another one in the file cannot be opened.
    private func place(app: AppName, project: [UInt8]) -> SealedColumn { SealedColumn(.firebaseSession, Array(app.text.utf8), project) }
}
