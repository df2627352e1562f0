extension Migration {
    /// Random ids, provider ids, app names, phases and times are not encrypted; every other value is sealed, and has a blind index if it
    /// must be searchable.
    static let first = Migration(
        version: 1,
        script: """
            CREATE TABLE meta (
                name TEXT PRIMARY KEY NOT NULL,
                value NOT NULL
            );

            CREATE TABLE settings (
                name TEXT PRIMARY KEY NOT NULL,
                sealed BLOB NOT NULL
            );

            CREATE TABLE users (
                uid TEXT PRIMARY KEY NOT NULL,
                email_index BLOB,
                sealed BLOB NOT NULL
            );
            CREATE INDEX users_by_email ON users (email_index) WHERE email_index IS NOT NULL;

            -- An identity belongs to one user, and a user has one identity at a provider.
            CREATE TABLE identities (
                provider_id TEXT NOT NULL,
                subject_index BLOB NOT NULL,
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                position INTEGER NOT NULL,
                sealed BLOB NOT NULL,
                PRIMARY KEY (provider_id, subject_index),
                UNIQUE (uid, provider_id)
            );

            CREATE TABLE current_users (
                app TEXT PRIMARY KEY NOT NULL,
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE
            );
            CREATE INDEX current_users_by_uid ON current_users (uid);

            CREATE TABLE credentials (
                provider_id TEXT NOT NULL,
                subject_index BLOB NOT NULL,
                generation INTEGER NOT NULL,
                sealed BLOB NOT NULL,
                PRIMARY KEY (provider_id, subject_index)
            );

            CREATE TABLE sessions (
                id TEXT PRIMARY KEY NOT NULL,
                phase TEXT NOT NULL,
                expires_at INTEGER NOT NULL,
                is_delivered INTEGER NOT NULL,
                request BLOB NOT NULL,
                flow_secrets BLOB,
                outcome BLOB
            );

            CREATE TABLE session_states (
                hash BLOB PRIMARY KEY NOT NULL,
                session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE
            );
            CREATE INDEX session_states_by_session ON session_states (session_id);

            CREATE TABLE handles (
                handle_index BLOB PRIMARY KEY NOT NULL,
                expires_at INTEGER NOT NULL,
                sealed BLOB NOT NULL
            );
            CREATE INDEX handles_by_expiry ON handles (expires_at);
            """)
}
