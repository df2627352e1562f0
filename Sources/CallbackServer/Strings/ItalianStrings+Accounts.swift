/// What concerns the accounts: linking, confirming who one is, and what the rules refuse.
extension ItalianStrings {
    func completedHeading(_ purpose: ResultSummary.Purpose) -> String {
        switch purpose {
        case .signIn: "Accesso eseguito"
        case .link: "Account collegato"
        case .reauthenticate: "Identità confermata"
        }
    }

    func completedExplanation(_ situation: PageSituation) -> HTML {
        let provider = situation.provider
        let back: HTML = "Puoi tornare \(situation.program.map { "a \($0)" } ?? "al programma che ha chiesto l’accesso" as HTML)."
        switch (situation.purpose, situation.user) {
        case (.signIn, _): return "\(provider) ha confermato la tua identità. \(back)"
        case (.link, _): return "\(provider) è collegato al tuo account: d’ora in poi puoi accedere anche così. \(back)"
        case (.reauthenticate, let user?): return "Sei ancora \(user), e \(provider) lo ha confermato. \(back)"
        case (.reauthenticate, nil): return "\(provider) ha confermato che sei ancora la stessa persona. \(back)"
        }
    }

    func deniedHeading(_ purpose: ResultSummary.Purpose) -> String {
        switch purpose {
        case .signIn: "Accesso non eseguito"
        case .link: "Nessun account collegato"
        case .reauthenticate: "Identità non confermata"
        }
    }

    func providerLabel(_ purpose: ResultSummary.Purpose) -> String {
        switch purpose {
        case .signIn: "Accesso con"
        case .link: "Collegato"
        case .reauthenticate: "Conferma di"
        }
    }

    var linkedToLabel: String { "All’account di" }
    var ownersWaysLabel: String { "Si accede con" }
    var passwordName: String { "una password" }

    func accountExists(_ situation: PageSituation) -> NoticeText {
        NoticeText(
            heading: "Questo indirizzo ha già un account",
            explanation: """
                L’indirizzo del tuo account su \(situation.provider) appartiene a un utente che accede in un altro modo. Nessuno ha \
                effettuato l’accesso e nulla è cambiato.
                """,
            advice: """
                Sei tu? Ricomincia \(fromProgram(situation.program)): accedi come le altre volte, poi collega \(situation.provider).
                """)
    }

    func credentialInUse(_ situation: PageSituation) -> NoticeText {
        NoticeText(
            heading: "Questo account è di un altro utente",
            explanation: """
                Il tuo account su \(situation.provider) è già collegato a un altro utente, perciò non è stato collegato di nuovo. Nulla è \
                cambiato.
                """,
            advice: """
                Ricomincia \(fromProgram(situation.program)): puoi accedere con \(situation.provider) come quell’utente, oppure collegare un \
                altro account.
                """)
    }

    func emailInUse(_ situation: PageSituation) -> NoticeText {
        NoticeText(
            heading: "Questo indirizzo è di un altro utente",
            explanation: """
                L’indirizzo del tuo account su \(situation.provider) appartiene a un altro utente, perciò l’account non è stato collegato. \
                Nulla è cambiato.
                """,
            advice: "Ricomincia \(fromProgram(situation.program)): accedi come quell’utente, poi collega \(situation.provider).")
    }

    func providerAlreadyLinked(_ situation: PageSituation) -> NoticeText {
        NoticeText(
            heading: "Ce n’è già uno collegato",
            explanation: """
                Hai già collegato un account di \(situation.provider), e ce ne può essere uno solo. Nulla è cambiato.
                """,
            advice: "Per mettere questo al suo posto, scollega prima l’altro, dal tuo programma o con <code>postern unlink</code>.")
    }

    func noCurrentUser(_ situation: PageSituation) -> NoticeText {
        NoticeText(
            heading: "Nessun utente connesso",
            explanation: """
                \(situation.provider) ha confermato la tua identità, ma qui nessuno ha effettuato l’accesso. Nulla è cambiato.
                """,
            advice: "Prima accedi, poi ricomincia \(fromProgram(situation.program)).")
    }

    func secondFactorRequired(_ situation: PageSituation) -> NoticeText {
        NoticeText(
            heading: "Manca un passo",
            explanation: "\(situation.provider) ha confermato la tua identità. Il tuo account chiede anche un codice.",
            advice: "Torna \(situation.program.map { "a \($0)" } ?? "al tuo programma" as HTML) e inserisci lì il codice.")
    }
}
