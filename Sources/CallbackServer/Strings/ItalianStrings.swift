import PosternCore

struct ItalianStrings: PageStrings {
    let language = PageLanguage.italian

    let providerFallback = "(provider senza nome)"
    let accountLabel = "Account"
    let askedForLabel = "Account richiesto"
    let programLabel = "Per"
    let mayCloseTab = "Puoi chiudere questa scheda."
    func notYou(provider: OutsideText) -> HTML {
        "Non riconosci questo accesso? Revoca l’autorizzazione nelle impostazioni del tuo account su \(provider)."
    }
    let finishingHeading = "Accesso in corso"
    func finishingExplanation(provider: OutsideText) -> HTML {
        "La risposta di \(provider) sta tardando. Questa pagina si aggiorna da sola."
    }
    func providerSays(provider: OutsideText) -> HTML { "Messaggio di \(provider):" }

    func failure(_ page: ProviderFailure.Page, _ situation: PageSituation) -> NoticeText {
        let (provider, program) = (situation.provider, situation.program)
        return switch page {
        case .denied:
            NoticeText(
                heading: deniedHeading(situation.purpose),
                explanation: "L’autorizzazione non è stata concessa. Se hai rifiutato tu, non devi fare altro.",
                advice: "Se cambi idea, riprova \(self.fromProgram(program)).")
        case .exchangeFailed:
            NoticeText(
                heading: "Accesso non completato",
                explanation: "Postern non ha ottenuto l’autorizzazione da \(provider).",
                advice: """
                    Riprova \(self.fromProgram(program)). Se succede di nuovo, controlla la configurazione con \
                    <code>postern doctor</code>.
                    """)
        case .foreignAnswer:
            NoticeText(
                heading: "Accesso non completato",
                explanation:
                    "La risposta non proviene dal servizio richiesto: Postern ha interrotto l’accesso. Non è stato inviato nulla.",
                advice:
                    "Riprova \(self.fromProgram(program)). Se succede di nuovo, qualcuno potrebbe interferire con i tuoi accessi.")
        case .unreachable:
            NoticeText(
                heading: "Servizio non raggiungibile",
                explanation: "La risposta è arrivata, ma poi la connessione a \(provider) non è riuscita. Non è stato rifiutato nulla.",
                advice: "Controlla la connessione di rete e riprova tra poco.")
        case .invalidIDToken:
            NoticeText(
                heading: "Risposta non attendibile",
                explanation: "La prova d’identità inviata da \(provider) non è valida, perciò l’accesso è stato interrotto.",
                advice: "Controlla che l’ora di questo computer sia esatta, poi riprova \(self.fromProgram(program)).")
        case .notConfigured:
            NoticeText(
                heading: "Configurazione incompleta",
                explanation: "A Postern manca qualcosa per accedere con \(provider).",
                advice: "Esegui <code>postern doctor</code>: ti dirà che cosa manca.")
        case .scopeRejected:
            NoticeText(
                heading: "Ambito non accettato",
                explanation: "Postern ha chiesto a \(provider) un ambito (scope) che il servizio non accetta.",
                advice: """
                    Controlla gli ambiti richiesti \(self.fromProgram(program)), oppure modifica quelli configurati: \
                    <code>\(self.scopesCommand(situation))</code>
                    """)
        case .storeProblem:
            NoticeText(
                heading: "Accesso non salvato",
                explanation: "\(provider) ha confermato la tua identità, ma non è stato possibile salvare il risultato su questo computer.",
                advice: """
                    Controlla che ci sia spazio libero sul disco e riprova. <code>postern doctor</code> aiuta a trovare la causa.
                    """)
        case .internal:
            NoticeText(
                heading: "Qualcosa è andato storto",
                explanation: "Si è verificato un errore interno: non dipende da te.",
                advice: """
                    Riprova \(self.fromProgram(program)). Se succede di nuovo, consulta \
                    <code>journalctl --user -u postern</code>.
                    """)
        }
    }

    func failure(_ page: SignInFailure.Ending.Page, _ situation: PageSituation) -> NoticeText {
        let program = situation.program
        return switch page {
        case .timedOut:
            NoticeText(
                heading: "Tempo scaduto",
                explanation: "L’accesso non è stato completato in tempo.",
                advice: "Riprova \(self.fromProgram(program)) e completa l’accesso entro pochi minuti.")
        case .cancelled:
            NoticeText(
                heading: "Accesso annullato",
                explanation: "Lo ha annullato il programma.",
                advice: "Per continuare, riprova \(self.fromProgram(program)).")
        }
    }

    func fromProgram(_ program: OutsideText?) -> HTML { program.map { "da \($0)" } ?? "dal programma che stavi usando" }
    func toProgram(_ program: OutsideText?) -> HTML { program.map { "a \($0)" } ?? "al programma che stavi usando" }

    let fragmentHeading = "Un momento"
    let fragmentExplanation = "Il tuo accesso sta per essere completato."
    let fragmentNeedsScriptHeading = "È necessario JavaScript"
    let fragmentNeedsScript = """
        La risposta di questo servizio può essere letta solo da uno script. Consenti JavaScript per questa pagina e ricaricala, \
        oppure copia l’intero indirizzo dalla barra degli indirizzi e incollalo nel programma che stavi usando.
        """
    let fragmentEmptyHeading = "Nessuna risposta"
    let fragmentEmptyExplanation = """
        Questa pagina riceve gli accessi, ma nell’indirizzo non c’era alcuna risposta. Riprova dal programma che stavi usando.
        """

    func notice(_ notice: Notice) -> NoticeText {
        switch notice {
        case .notRecognised:
            NoticeText(
                heading: "Accesso scaduto o già usato",
                explanation: "Nessun accesso in attesa corrisponde a questa risposta.",
                advice: """
                    Riprova dal programma che stavi usando. Se non hai avviato tu l’accesso, chiudi questa scheda: non è cambiato nulla.
                    """)
        case .storeLocked:
            NoticeText(
                heading: "Postern è bloccato",
                explanation: "Il suo archivio è bloccato, quindi la risposta del servizio non è ancora stata usata.",
                advice: "Sbloccalo con <code>postern unlock</code>, poi ricarica questa pagina. Non è cambiato nulla.")
        case .storeUnusable:
            NoticeText(
                heading: "Postern non riesce ad aprire il suo archivio",
                explanation: "La risposta del servizio non è ancora stata usata.",
                advice: "Esegui <code>postern doctor</code> per sapere che cosa non va, poi ricarica questa pagina. Non è cambiato nulla.")
        case .configurationInvalid:
            NoticeText(
                heading: "La configurazione di Postern non è valida",
                explanation: "Finché non viene corretta, nessuno può accedere. La risposta del servizio non è stata usata.",
                advice: "Correggila, esegui <code>postern reload</code>, poi ricarica questa pagina.")
        case .malformed:
            NoticeText(
                heading: "Richiesta non valida",
                explanation: "Quello che è arrivato qui non è la risposta di un accesso.",
                advice: "Riprova dal programma che stavi usando.")
        case .resultUnknown:
            NoticeText(
                heading: "Risultato non più disponibile",
                explanation: "Postern non ha più traccia di questo accesso.",
                advice: "Controlla il programma che stavi usando: se chiede ancora di accedere, riprova da lì.")
        case .signedOut:
            NoticeText(
                heading: "Disconnessione effettuata",
                explanation: "Il servizio ha chiuso la tua sessione in questo browser, e Postern ne ha eliminato le credenziali.",
                advice: "Puoi chiudere questa scheda.")
        case .linkUsed:
            NoticeText(
                heading: "Questo link funziona una volta sola",
                explanation: "È scaduto o è già stato usato.",
                advice: "Se volevi disconnetterti, controlla sulla pagina del servizio se la tua sessione è ancora aperta.")
        case .noResultAsked:
            NoticeText(
                heading: "Niente da mostrare",
                explanation: "In questa pagina compare il risultato di un accesso.",
                advice: "Avvia l’accesso da un programma, o con <code>postern sign-in</code>.")
        case .notFound:
            NoticeText(
                heading: "Pagina non trovata",
                explanation: "Questo indirizzo è di Postern, che riceve gli accessi su questo computer.",
                advice: "Avvia l’accesso da un programma, o con <code>postern sign-in</code>.")
        case .wrongMethod:
            NoticeText(
                heading: "Richiesta non supportata",
                explanation: "Questa pagina non si può aprire così.",
                advice: "Riprova dal programma che stavi usando.")
        case .wrongHost:
            NoticeText(
                heading: "Indirizzo sbagliato",
                explanation: "Postern non risponde al nome richiesto dal tuo browser.",
                advice:
                    "Se stavi accedendo, controlla l’URL di callback registrato presso il servizio. Altrimenti chiudi questa scheda."
            )
        case .notEncrypted:
            NoticeText(
                heading: "Usa https per questo indirizzo",
                explanation: "Postern accetta gli accessi solo tramite una connessione cifrata, e il browser ne ha usata una in chiaro.",
                advice: """
                    Sostituisci <code>http</code> con <code>https</code> nella barra degli indirizzi. Se ti ha inviato qui il servizio, \
                    registra l’indirizzo indicato da <code>postern provider show</code>.
                    """)
        case .notNavigated:
            NoticeText(
                heading: "Richiesta rifiutata",
                explanation: "Un accesso è accettato solo da una pagina che hai aperto tu.",
                advice: "Se stai accedendo, apri il link in una scheda.")
        case .timedOut:
            NoticeText(
                heading: "Richiesta troppo lenta",
                explanation: "Non è arrivata in tempo.",
                advice: "Ricarica questa pagina.")
        case .tooLarge:
            NoticeText(
                heading: "Richiesta troppo grande",
                explanation: "Nessun accesso ha bisogno di tanto.",
                advice: "Riprova dal programma che stavi usando.")
        case .failed:
            NoticeText(
                heading: "Qualcosa è andato storto",
                explanation: "Si è verificato un errore interno: non dipende da te.",
                advice: "Ricarica questa pagina. Se succede di nuovo, consulta <code>journalctl --user -u postern</code>.")
        }
    }
}
