import PosternCore

extension Store {
    /// The app's sign-in to a Firebase project.
    ///
    /// - Parameter project: users of another project do not count.
    public func firebaseSession(app: AppName, project: String) throws(StoreError) -> FirebaseSession? {
        try tables.firebaseSessions.session(app: app, project: project)
    }

    /// Apps that are signed in to the project as an anonymous user.
    public func anonymousApps(ofFirebaseProject project: String) throws(StoreError) -> Int {
        try tables.firebaseSessions.anonymousApps(project: project)
    }

    /// Replaces the tokens or the profile of the same sign-in, as it is on disk at this moment.
    ///
    /// - Parameters:
    ///   - id: of the sign-in.
    ///   - endsPending: what the user began and has not finished becomes void, in all apps.
    /// - Returns: nil, with nothing changed, if the app has signed out, or signed in otherwise, meanwhile.
    public func updateFirebaseSession(
        app: AppName, project: String, id: String, endsPending: Bool, change: @Sendable (inout FirebaseSession) -> Void
    ) throws(StoreError) -> FirebaseSession? {
        try transaction { tables throws(StoreError) in
            guard var session = try tables.firebaseSessions.session(app: app, project: project), session.id == id else { return nil }
            change(&session)
            return try tables.set(session, endsPending: endsPending)
        }
    }

    /// - Parameters:
    ///   - id: only this sign-in; nil for any.
    ///   - isDeletion: the user exists no more. What is about the user's accounts becomes void, and how they were linked is forgotten; a handle for
    ///     another account that the app was given stays, as the user is often deleted to sign in with it.
    /// - Returns: the user that was signed in to the app; nil if there was none.
    public func signOutOfFirebase(
        app: AppName, project: String, id: String? = nil, isDeletion: Bool = false
    ) throws(StoreError) -> String? {
        try transaction { tables throws(StoreError) in
            var session: FirebaseSession?
            do throws(StoreError) { session = try tables.firebaseSessions.session(app: app, project: project) } catch {
                // One that cannot be decrypted is removed as well: signing out must be possible.
                guard id == nil, error.kind == .damagedRow else { throw error }
            }
            guard id == nil || session?.id == id else { return nil }
            try tables.firebaseSessions.delete(app: app)
            if let user = session?.user {
                if isDeletion {
                    try tables.endHandles(of: user)
                    try tables.changeFirebaseLinks { $0.forget(uid: user.uid, project: project) }
                } else {
                    try tables.endPending(of: user.uid, app: app)
                }
            }
            return session?.user.uid
        }
    }

    /// What a handle stands for, without using it up; nil if it is unknown, used or expired.
    public func handle(_ handle: String, now: Timestamp) throws(StoreError) -> HandleRecord? {
        try tables.handles.record(handle, now: now)
    }
}
