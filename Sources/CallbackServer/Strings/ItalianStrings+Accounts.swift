import PosternCore

/// Texts about the accounts: linking, reauthentication, and refusals by the rules.
extension ItalianStrings {
    func completedHeading(_ purpose: ResultSummary.Purpose) -> String {
        switch purpose {
        case .signIn: "Accesso effettuato"
        case .link: "Account collegato"
        case .reauthenticate: "Identità confermata"
        }
    }

    func completedExplanation(_ situation: PageSituation) -> HTML {
        let provider = situation.provider
        let back: HTML = "Puoi tornare \(situation.program.map { "a \($0)" } ?? "al programma che stavi usando" as HTML)."
        switch (situation.purpose, situation.user) {
        case (.signIn, _): return "\(provider) ha confermato la tua identità. \(back)"
        case (.link, _): return "\(provider) è collegato al tuo account: d’ora in poi puoi accedere anche così. \(back)"
        case (.reauthenticate, let user?): return "\(provider) ha confermato che sei \(user). \(back)"
        case (.reauthenticate, nil): return "\(provider) ha confermato la tua identità. \(back)"
        }
    }

    func deniedHeading(_ purpose: ResultSummary.Purpose) -> String {
        switch purpose {
        case .signIn: "Accesso non effettuato"
        case .link: "Account non collegato"
        case .reauthenticate: "Identità non confermata"
        }
    }

    func providerLabel(_ purpose: ResultSummary.Purpose) -> String {
        switch purpose {
        case .signIn: "Accesso con"
        case .link: "Servizio collegato"
        case .reauthenticate: "Confermato da"
        }
    }

    var linkedToLabel: String { "Collegato a" }
    var ownersWaysLabel: String { "Metodi di accesso" }
    var alreadyLinkedLabel: String { "Già collegato" }
    var passwordName: String { "password" }

    func linksHeading(_ count: Int) -> String { count == 1 ? "Questo account è tuo?" : "Questi account sono tuoi?" }
    func linksExplanation(areLost: Bool) -> String {
        areLost
            ? """
            Ciò che un programma aveva collegato prima del tuo primo accesso è stato rimosso. Tieni solo ciò che è tuo: chi possiede \
            un account collegato può accedere al posto tuo.
            """
            : """
            Il collegamento è stato creato da un programma quando non avevi appena effettuato l’accesso. Tieni solo ciò che è tuo: \
            chi possiede un account collegato può accedere al posto tuo.
            """
    }
    func linkedAt(_ moment: String) -> String { "collegato: \(moment)" }
    func linkButton(_ answer: LinkReview.Answer) -> String {
        switch answer {
        case .keep: "Tieni"
        case .remove: "Rimuovi"
        }
    }
    func linkAnswer(_ status: LinkReview.Status, isLost: Bool) -> String {
        switch status {
        case .open: ""
        case .answered(.keep): "Mantenuto"
        case .answered(.remove): "Rimosso"
        case .notSaved: "Non è stato possibile salvare la risposta. Riprova."
        case .over where isLost: "Nulla è cambiato. Se l’account è tuo, collegalo di nuovo dal programma."
        case .over: "Nulla è cambiato. La domanda tornerà al prossimo accesso."
        }
    }

    func failure(_ page: AccountRefusal.Page, _ situation: PageSituation) -> NoticeText {
        let (provider, program) = (situation.provider, situation.program)
        return switch page {
        case .otherAccount:
            NoticeText(
                heading: "Account diverso da quello richiesto",
                explanation: """
                    Hai usato un account \(provider) diverso da quello richiesto. Non è stato salvato nulla.
                    """,
                advice: """
                    Cambia account su \(provider), oppure usa un altro browser o profilo, poi riprova \(self.fromProgram(program)).
                    """)
        case .accountExists:
            NoticeText(
                heading: "Esiste già un account con questo indirizzo email",
                explanation: """
                    L’indirizzo email del tuo account \(provider) appartiene a un utente che accede in un altro modo. L’accesso non è \
                    stato effettuato e non è cambiato nulla.
                    """,
                advice: """
                    Sei tu? Torna \(toProgram(program)), accedi come sempre e collega \(provider).
                    """)
        case .credentialInUse:
            NoticeText(
                heading: "Account già collegato a un altro utente",
                explanation: """
                    Il tuo account \(provider) è già collegato a un altro utente, perciò non è stato collegato di nuovo. Non è \
                    cambiato nulla.
                    """,
                advice: """
                    Torna \(toProgram(program)): puoi accedere con \(provider) come quell’utente, oppure collegare un altro \
                    account.
                    """)
        case .emailInUse:
            NoticeText(
                heading: "Questo indirizzo email è di un altro utente",
                explanation: """
                    L’indirizzo email del tuo account \(provider) appartiene a un altro utente, perciò l’account non è stato \
                    collegato. Non è cambiato nulla.
                    """,
                advice: "Torna \(toProgram(program)), accedi come quell’utente e collega \(provider).")
        case .providerAlreadyLinked:
            NoticeText(
                heading: "Un account è già collegato",
                explanation: """
                    Hai già collegato un account \(provider); se ne può collegare uno solo. Non è cambiato nulla.
                    """,
                advice: "Per usare questo, scollega prima l’altro, dal tuo programma o con <code>postern unlink</code>.")
        case .noCurrentUser:
            NoticeText(
                heading: "Nessun utente connesso",
                explanation: """
                    \(provider) ha confermato la tua identità, ma nessun utente ha effettuato l’accesso a Postern. Non è cambiato nulla.
                    """,
                advice: "Prima accedi, poi riprova \(fromProgram(program)).")
        case .secondFactorRequired:
            NoticeText(
                heading: "Manca un passaggio",
                explanation: "\(provider) ha confermato la tua identità. Il tuo account richiede anche un codice di verifica.",
                advice: "Torna \(toProgram(program)) e inserisci lì il codice.")
        case .linkNotProved:
            NoticeText(
                heading: "Questo account non può ancora confermare la tua identità",
                explanation: """
                    L’account \(provider) è stato collegato senza un accesso recente, perciò non può confermare la tua identità. Non è cambiato nulla.
                    """,
                advice: """
                    Accedi in un altro modo e conferma, nella pagina che segue, che questo account è tuo.
                    """)
        case .personNotSeen:
            NoticeText(
                heading: "Non ti è stato chiesto nulla",
                explanation: """
                    \(provider) ha risposto senza chiederti di accedere di nuovo, perciò la tua identità non è confermata. Non è cambiato nulla.
                    """,
                advice: "Esci da \(provider), poi riprova \(fromProgram(program)), oppure conferma la tua identità in un altro modo.")
        case .accountNotConfirmed:
            NoticeText(
                heading: "È l’account giusto?",
                explanation: """
                    \(provider) non indica se questo è l’account richiesto. Non è ancora stato salvato nulla.
                    """,
                advice: "Torna \(toProgram(program)) e rispondi lì alla domanda.")
        }
    }
}
