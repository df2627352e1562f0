extension Migration {
    /// Passwords, second factors, and since when somebody is signed in to an app.
    static let accounts = Migration(
        version: 2,
        script: """
            -- Since when, and with what. A sign-in of an earlier version has none: it counts as one of long ago.
            ALTER TABLE current_users ADD COLUMN sealed BLOB;

            -- For those whom nobody can become again.
            ALTER TABLE users ADD COLUMN is_anonymous INTEGER NOT NULL DEFAULT 0;
            CREATE INDEX users_anonymous ON users (uid) WHERE is_anonymous = 1;

            -- An identity of an earlier version has none until it signs in again; its address is the user's own as a rule.
            ALTER TABLE identities ADD COLUMN email_index BLOB;
            CREATE INDEX identities_by_email ON identities (email_index) WHERE email_index IS NOT NULL;

            CREATE TABLE passwords (
                uid TEXT PRIMARY KEY NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                sealed BLOB NOT NULL
            );

            CREATE TABLE second_factors (
                id TEXT PRIMARY KEY NOT NULL,
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                position INTEGER NOT NULL,
                sealed BLOB NOT NULL,
                secret BLOB,
                -- Of time, whose one-time password was taken last: it and all before it are used up.
                last_step INTEGER
            );
            CREATE INDEX second_factors_by_uid ON second_factors (uid);

            -- First factors that wait for a second one, and second factors that wait to be confirmed.
            CREATE TABLE challenges (
                challenge_index BLOB PRIMARY KEY NOT NULL,
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                expires_at INTEGER NOT NULL,
                sealed BLOB NOT NULL
            );
            CREATE INDEX challenges_by_expiry ON challenges (expires_at);
            CREATE INDEX challenges_by_uid ON challenges (uid);

            -- The current users where a Firebase project has the accounts: nothing of them stands among our own.
            CREATE TABLE firebase_sessions (
                app TEXT PRIMARY KEY NOT NULL,
                project BLOB NOT NULL,
                sealed BLOB NOT NULL
            );

            -- Wrong guesses, of a password or a code, and codes sent.
            CREATE TABLE attempts (
                subject_index BLOB PRIMARY KEY NOT NULL,
                count INTEGER NOT NULL,
                last_at INTEGER NOT NULL
            );
            CREATE INDEX attempts_by_age ON attempts (last_at);
            """)
}
