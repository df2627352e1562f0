extension Schema {
    /// Random ids, provider ids, app names, phases and times are not encrypted; every other value is sealed, and has a blind index if it
    /// must be searchable.
    ///
    /// A plain column that says who something belongs to, or whether it was used, is part of the ``SealedColumn`` of a sealed value in its row, or
    /// must agree with what is sealed there: whoever changes it damages the row.
    static let script = """
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
            -- For those whom nobody can become again.
            is_anonymous INTEGER NOT NULL,
            sealed BLOB NOT NULL
        );
        CREATE INDEX users_by_email ON users (email_index) WHERE email_index IS NOT NULL;
        CREATE INDEX users_anonymous ON users (uid) WHERE is_anonymous = 1;

        -- An identity belongs to one user, and a user has one identity at a provider.
        CREATE TABLE identities (
            provider_id TEXT NOT NULL,
            subject_index BLOB NOT NULL,
            uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            email_index BLOB,
            sealed BLOB NOT NULL,
            PRIMARY KEY (provider_id, subject_index),
            UNIQUE (uid, provider_id)
        );
        CREATE INDEX identities_by_email ON identities (email_index) WHERE email_index IS NOT NULL;

        -- Since when, and with what, is sealed.
        CREATE TABLE current_users (
            app TEXT PRIMARY KEY NOT NULL,
            uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
            sealed BLOB NOT NULL
        );
        CREATE INDEX current_users_by_uid ON current_users (uid);

        CREATE TABLE passwords (
            uid TEXT PRIMARY KEY NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
            sealed BLOB NOT NULL
        );

        CREATE TABLE second_factors (
            id TEXT PRIMARY KEY NOT NULL,
            uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            sealed BLOB NOT NULL,
            -- What checks its codes, and which of them are used up.
            secret BLOB
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

        -- Wrong guesses, of a password or a code, and codes sent. The time is only for the deletion of old ones.
        CREATE TABLE attempts (
            subject_index BLOB PRIMARY KEY NOT NULL,
            last_at INTEGER NOT NULL,
            sealed BLOB NOT NULL
        );
        CREATE INDEX attempts_by_age ON attempts (last_at);

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
            session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            sealed BLOB NOT NULL
        );
        CREATE INDEX session_states_by_session ON session_states (session_id);

        CREATE TABLE handles (
            handle_index BLOB PRIMARY KEY NOT NULL,
            expires_at INTEGER NOT NULL,
            sealed BLOB NOT NULL
        );
        CREATE INDEX handles_by_expiry ON handles (expires_at);
        """
}
