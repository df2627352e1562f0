extension EventLog {
    /// What can happen. `Monitor` reports a kind under its name here, unless its rule says otherwise.
    public enum Kind: String, Sendable, CaseIterable {
        case started, stopping
        case signInAsked, signInStarted, signInJoined, pageOpened, pageNotOpened, codeGiven, flowFailed, callbackReceived, callbackRefused
        case signInCompleted, signInFailed, resultDelivered
        case userChanged, userDeleted
        case tokenRefreshed, refreshFailed, credentialImported, credentialKept, credentialRevoked, revocationFailed, credentialStateChanged
        case signedOut, signInEndedByProject, endSessionOpening, endSessionOffered, endSessionPageOpened
        case configurationReloaded, configurationRefused, configuration
        case storeOpened, storeLocked, storeUnlocked, storeProblem
        case providerProblem
    }

    /// Kinds of entries that somebody may look for, with their message IDs in the journal (`journalctl MESSAGE_ID=…`), which never change.
    public enum Category: String, Sendable, CaseIterable {
        case started = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b10"
        case stopping = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b11"
        case signInStarted = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b12"
        case signInCompleted = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b13"
        case signInFailed = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b14"
        case callbackRefused = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b15"
        case tokenRefreshed = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b16"
        case refreshFailed = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b17"
        case configuration = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b18"
        case storeProblem = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b19"
        case providerProblem = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b1a"
        case signInProgress = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b1b"
        case credentialState = "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b1c"
    }

    /// Where a kind of event is reported.
    struct Rule {
        /// Nil if it is not recorded.
        let category: Category?
        let level: Level
        /// Part of the interface; nil if `Monitor` does not report it.
        let monitorKind: String?
    }
}

extension EventLog.Kind {
    var rule: EventLog.Rule {
        switch self {
        case .started: logged(.started, .notice)
        case .stopping: logged(.stopping, .notice)

        // With the program that asked. If the sign-in gets a page or a code, programs that use `Monitor` see that as its start.
        case .signInAsked: logged(.signInStarted, .info)
        case .signInStarted: rule(.signInProgress, .debug)
        case .signInJoined, .pageOpened, .codeGiven, .callbackReceived: rule(.signInProgress, .info)
        case .pageNotOpened: rule(.signInFailed, .warning)
        // A page or a code failed, and the sign-in continues with the other flow, or fails for another reason.
        case .flowFailed: logged(.signInFailed, .warning)
        case .callbackRefused: logged(.callbackRefused, .info)
        case .signInCompleted: rule(.signInCompleted, .notice)
        case .signInFailed: rule(.signInFailed, .notice)
        case .resultDelivered: rule(.signInProgress, .debug)

        case .userChanged, .userDeleted: rule(.signInCompleted, .notice)
        case .tokenRefreshed: rule(.tokenRefreshed, .info)
        case .refreshFailed: rule(.refreshFailed, .warning)
        case .credentialImported, .credentialKept, .credentialRevoked: rule(.signInCompleted, .notice)
        case .revocationFailed: logged(.refreshFailed, .warning)
        case .credentialStateChanged: rule(.credentialState, .notice)

        case .signedOut: rule(.signInCompleted, .info)
        case .signInEndedByProject: rule(.signInFailed, .notice, as: Self.signedOut.rawValue)
        // Whoever watches waits for the outcome, which is recorded.
        case .endSessionOpening: EventLog.Rule(category: nil, level: .info, monitorKind: rawValue)
        // The address works once, for anyone who has it: it is for those who listen now, and not to be recorded.
        case .endSessionOffered: EventLog.Rule(category: nil, level: .info, monitorKind: rawValue)
        case .endSessionPageOpened: rule(.providerProblem, .info, as: Self.pageOpened.rawValue)

        case .configurationReloaded: rule(.configuration, .notice)
        case .configurationRefused: rule(.configuration, .error)
        case .configuration: logged(.configuration, .warning)

        // Without a user's call, as when a keyring was unlocked; `storeUnlocked` is what a user did.
        case .storeOpened: logged(.storeProblem, .notice)
        case .storeLocked, .storeUnlocked: rule(.storeProblem, .notice)
        case .storeProblem: logged(.storeProblem, .error)
        case .providerProblem: logged(.providerProblem, .warning)
        }
    }

    private func logged(_ category: EventLog.Category, _ level: EventLog.Level) -> EventLog.Rule {
        EventLog.Rule(category: category, level: level, monitorKind: nil)
    }

    private func rule(_ category: EventLog.Category, _ level: EventLog.Level, as name: String? = nil) -> EventLog.Rule {
        EventLog.Rule(category: category, level: level, monitorKind: name ?? rawValue)
    }
}
