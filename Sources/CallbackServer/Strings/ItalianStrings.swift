struct ItalianStrings: PageStrings {
    let language = PageLanguage.italian

    let providerFallback = "Il servizio"
    let accountLabel = "Account"
    let askedForLabel = "Account richiesto"
    let programLabel = "Per"
    let mayCloseTab = "Puoi chiudere questa scheda."
    func notYou(provider: OutsideText) -> HTML {
        "Non sei tu, o non l’hai chiesto tu? Revoca l’autorizzazione nelle impostazioni del tuo account su \(provider)."
    }
    let finishingHeading = "Accesso in corso"
    func finishingExplanation(provider: OutsideText) -> HTML {
        "La risposta di \(provider) si fa attendere un po’. Questa pagina si aggiorna da sola."
    }
    func providerSays(provider: OutsideText) -> HTML { "Messaggio di \(provider):" }

    func failure(_ failure: FailurePage, _ situation: PageSituation) -> NoticeText {
        let (provider, program) = (situation.provider, situation.program)
        return switch failure {
        case .denied:
            NoticeText(
                heading: deniedHeading(situation.purpose),
                explanation: "\(provider) non ha dato l’autorizzazione. Se l’hai rifiutata tu, va bene così: nulla è cambiato.",
                advice: "Se cambi idea, ricomincia \(self.fromProgram(program)).")
        case .timedOut:
            NoticeText(
                heading: "Tempo scaduto",
                explanation: "L’accesso non è stato completato in tempo ed è stato interrotto.",
                advice: "Ricomincia \(self.fromProgram(program)) e completa l’accesso entro pochi minuti.")
        case .cancelled:
            NoticeText(
                heading: "Accesso annullato",
                explanation: "Il programma che aveva chiesto l’accesso vi ha rinunciato.",
                advice: "Se vuoi ancora accedere, ricomincia \(self.fromProgram(program)).")
        case .exchangeFailed:
            NoticeText(
                heading: "Accesso non completato",
                explanation: "\(provider) ha rifiutato di concedere l’accesso, per un motivo suo.",
                advice: """
                    Ricomincia \(self.fromProgram(program)). Se succede di nuovo, controlla la configurazione con \
                    <code>postern provider check</code>.
                    """)
        case .unreachable:
            NoticeText(
                heading: "Servizio non raggiungibile",
                explanation: "Il tuo consenso è arrivato, ma poi il collegamento con \(provider) non è riuscito. Nulla è stato rifiutato.",
                advice: "Controlla la connessione di rete e riprova tra poco.")
        case .invalidIDToken:
            NoticeText(
                heading: "Risposta non attendibile",
                explanation: "La prova d’identità inviata da \(provider) non è valida, perciò nessuno ha effettuato l’accesso.",
                advice: "Controlla che l’ora di questo computer sia esatta, poi ricomincia \(self.fromProgram(program)).")
        case .otherAccount:
            NoticeText(
                heading: "È un altro account",
                explanation: """
                    Hai effettuato l’accesso con \(provider) usando un account diverso da quello richiesto, perciò non è stato salvato \
                    nulla.
                    """,
                advice: """
                    Cambia account su \(provider), oppure usa un altro browser o profilo, poi ricomincia \(self.fromProgram(program)).
                    """)
        case .accountExists: accountExists(situation)
        case .credentialInUse: credentialInUse(situation)
        case .emailInUse: emailInUse(situation)
        case .providerAlreadyLinked: providerAlreadyLinked(situation)
        case .noCurrentUser: noCurrentUser(situation)
        case .secondFactorRequired: secondFactorRequired(situation)
        case .notConfigured:
            NoticeText(
                heading: "Configurazione incompleta",
                explanation: "A Postern manca qualcosa per accedere con \(provider).",
                advice: "Esegui <code>postern doctor</code>: ti dirà che cosa manca.")
        case .storeProblem:
            NoticeText(
                heading: "Accesso non salvato",
                explanation: "\(provider) ha accettato l’accesso, ma non è stato possibile salvare il risultato su questo computer.",
                advice: """
                    Controlla che ci sia spazio libero sul disco e ricomincia. <code>postern doctor</code> aiuta a trovare la causa.
                    """)
        case .internal:
            NoticeText(
                heading: "Qualcosa è andato storto",
                explanation: "Postern ha commesso un errore: non dipende da te.",
                advice: """
                    Ricomincia \(self.fromProgram(program)). Se succede di nuovo, consulta \
                    <code>journalctl --user -u postern</code>.
                    """)
        }
    }

    func fromProgram(_ program: OutsideText?) -> HTML { program.map { "da \($0)" } ?? "dal tuo programma" }

    let fragmentHeading = "Un momento"
    let fragmentExplanation = "Il tuo accesso sta per essere completato."
    let fragmentNeedsScriptHeading = "Qui serve uno script"
    let fragmentNeedsScript = """
        Questo servizio risponde in un modo che solo uno script può leggere. Consenti gli script per questa pagina e ricaricala, \
        oppure copia l’intero indirizzo dalla barra degli indirizzi e incollalo nel programma che ha chiesto l’accesso.
        """
    let fragmentEmptyHeading = "Non è arrivato nulla"
    let fragmentEmptyExplanation = """
        Questo indirizzo riceve gli accessi, ma qui non è arrivata alcuna risposta. Ricomincia dal tuo programma.
        """

    func notice(_ notice: Notice) -> NoticeText {
        switch notice {
        case .notRecognised:
            NoticeText(
                heading: "Accesso sconosciuto",
                explanation: "La pagina da cui arrivi non appartiene a un accesso in attesa qui: forse è scaduta, o è già stata usata.",
                advice: "Ricomincia dal tuo programma. Se non hai avviato tu un accesso, chiudi questa scheda: non è cambiato nulla.")
        case .storeLocked:
            NoticeText(
                heading: "Postern è bloccato",
                explanation: "Il suo archivio ora non si può aprire, quindi la risposta del fornitore non è ancora stata accettata.",
                advice: "Sbloccalo con <code>postern unlock</code>, poi ricarica questa pagina. Non è cambiato nulla.")
        case .storeUnusable:
            NoticeText(
                heading: "Postern non riesce ad aprire il suo archivio",
                explanation: "La risposta del servizio non è ancora stata accettata.",
                advice: "Esegui <code>postern doctor</code> per sapere che cosa non va, poi ricarica questa pagina. Non è cambiato nulla.")
        case .configurationInvalid:
            NoticeText(
                heading: "La configurazione di Postern non è valida",
                explanation: "Finché non viene corretta, nessuno può accedere. La risposta del servizio non è stata usata.",
                advice: "Correggila, esegui <code>postern reload</code>, poi ricarica questa pagina.")
        case .malformed:
            NoticeText(
                heading: "Richiesta non comprensibile",
                explanation: "Quello che è arrivato qui non è la risposta di un accesso.",
                advice: "Ricomincia dal tuo programma.")
        case .resultUnknown:
            NoticeText(
                heading: "Risultato non più disponibile",
                explanation: "L’accesso di cui parlava questa pagina non è più noto qui.",
                advice: "Guarda nel tuo programma: se chiede ancora di accedere, ricomincia da lì.")
        case .signedOut:
            NoticeText(
                heading: "Sei uscito",
                explanation: "Il servizio ha chiuso la tua sessione in questo browser, e Postern ha dimenticato le sue credenziali.",
                advice: "Puoi chiudere questa scheda.")
        case .linkUsed:
            NoticeText(
                heading: "Questo collegamento vale una volta sola",
                explanation: "È già stato usato, o è troppo vecchio.",
                advice: "Se volevi uscire, controlla sulla pagina del servizio se la tua sessione è ancora aperta.")
        case .noResultAsked:
            NoticeText(
                heading: "Niente da mostrare",
                explanation: "Qui compare il risultato di un accesso, quando ce n’è uno.",
                advice: "Gli accessi cominciano da un programma, o con <code>postern sign-in</code>.")
        case .notFound:
            NoticeText(
                heading: "Qui non c’è nulla",
                explanation: "Questo indirizzo è di Postern, che riceve gli accessi su questo computer.",
                advice: "Gli accessi cominciano da un programma, o con <code>postern sign-in</code>.")
        case .wrongMethod:
            NoticeText(
                heading: "Operazione non prevista",
                explanation: "L’indirizzo è giusto, ma si usa in un altro modo.",
                advice: "Ricomincia dal tuo programma.")
        case .wrongHost:
            NoticeText(
                heading: "Indirizzo sbagliato",
                explanation: "Postern non risponde al nome richiesto dal tuo browser.",
                advice:
                    "Se stavi accedendo, controlla l’indirizzo di reindirizzamento registrato presso il servizio. Altrimenti chiudi questa scheda."
            )
        case .notEncrypted:
            NoticeText(
                heading: "Questo indirizzo comincia con https",
                explanation: "Qui Postern riceve gli accessi tramite una connessione cifrata, e il browser ne ha usata una in chiaro.",
                advice: """
                    Sostituisci <code>http</code> con <code>https</code> nella barra degli indirizzi. Se ti ha inviato qui il servizio, \
                    registra l’indirizzo indicato da <code>postern provider show</code>.
                    """)
        case .notNavigated:
            NoticeText(
                heading: "Richiesta rifiutata",
                explanation: "Gli accessi sono accettati solo da una pagina aperta da una persona.",
                advice: "Se stai accedendo, apri il collegamento in una scheda.")
        case .timedOut:
            NoticeText(
                heading: "Richiesta troppo lenta",
                explanation: "Non è arrivata in tempo.",
                advice: "Ricarica questa pagina.")
        case .tooLarge:
            NoticeText(
                heading: "Richiesta troppo grande",
                explanation: "Nessun accesso ha bisogno di tanto.",
                advice: "Ricomincia dal tuo programma.")
        case .failed:
            NoticeText(
                heading: "Qualcosa è andato storto",
                explanation: "Postern ha commesso un errore: non dipende da te.",
                advice: "Ricarica questa pagina. Se succede di nuovo, consulta <code>journalctl --user -u postern</code>.")
        }
    }
}
