import PosternCore

extension FirebaseAccounts {
    /// A second factor that has yet to be confirmed.
    struct PendingEnrollment: Sendable {
        var kind: SecondFactor.Kind
        var session: Secret
        var displayName: String?
        var app: AppName
        /// The app's sign-in, by its id.
        var signIn: String
    }

    func enroll(
        _ kind: SecondFactor.Kind, phoneNumber: String?, displayName: String?, app: AppName
    ) async throws(AccountFailure) -> Enrollment {
        if kind == .phone, phoneNumber?.isEmpty ?? true { throw .firebase(FirebaseRefusal(.missingPhoneNumber)) }
        return try await aloneForUser(of: app) { () async throws(AccountFailure) in
            let session = try await self.ready(app)
            try session.requireRecent(platform.signIns.recency)
            let number = kind == .phone ? phoneNumber : nil
            let answer = try await self.ask(as: session) { $0.startEnrollment($1, phoneNumber: number) }
            let started = try AccountFailure.wrapping(project: FirebaseEnrollment(kind, answer))
            try self.requireStore()
            let id = try randomID()
            self.enrollments[id, uptime: uptime] = PendingEnrollment(
                kind: kind, session: started.session, displayName: displayName, app: app, signIn: session.id)
            return Enrollment(
                id: Secret(id), secret: started.secret,
                provisioningURI: started.provisioningURI(
                    issuer: session.tokens.audience, account: session.user.email ?? session.user.uid))
        }
    }

    func confirm(enrollmentID: String, code: String, app: AppName) async throws(AccountFailure) -> User {
        try await aloneForUser(of: app) { () async throws(AccountFailure) in
            let session = try await self.ready(app)
            guard let pending = self.enrollments[enrollmentID, uptime: uptime], pending.app == app, pending.signIn == session.id else {
                throw .secondFactor(.noEnrolment)
            }
            let answer = try await self.ask(as: session) {
                $0.finishEnrollment($1, pending.kind, session: pending.session, code: code, displayName: pending.displayName)
            }
            self.enrollments[enrollmentID, uptime: uptime] = nil
            return try await self.kept(answer, of: session) { _ in }
        }
    }

    func removeSecondFactor(uid: String, app: AppName) async throws(AccountFailure) -> User {
        try await aloneForUser(of: app) { () async throws(AccountFailure) in
            let session = try await self.ready(app)
            try session.requireRecent(platform.signIns.recency)
            let answer = try await self.ask(as: session) { $0.withdraw($1, factor: uid) }
            return try await self.kept(answer, of: session) { user in user.secondFactors.removeAll { $0.uid == uid } }
        }
    }
}
