import PosternCore

/// Everything that notices say, once for each language: if a sentence is missing in one, it does not compile.
///
/// Plain text; a provider's name is as the configuration has it.
protocol NoticeStrings: Sendable {
    /// On the button that starts the sign-in.
    var signIn: String { get }
    /// Between the account and the sentence about it.
    var colon: String { get }
    /// After a sentence; empty in scripts without spaces.
    var space: String { get }

    func signInNeeded(provider: String) -> String
    /// Nobody has signed in yet.
    func firstSignIn(provider: String) -> String
    func programWaits() -> String
    func reason(_ reason: CredentialStatus.Reason) -> String
    func endsSoon(provider: String) -> String
    func usableUntil(_ end: Timestamp) -> String
    func worksAgain(provider: String) -> String
    /// A server of the provider's wants more than the account has.
    func moreWanted(provider: String) -> String
    /// - Parameter what: scopes, and parameters of a stronger sign-in, in the server's words.
    func wanted(_ what: String) -> String
    /// - Parameter instead: there is a button as well.
    func run(_ command: String, instead: Bool) -> String
}

// None of them contains the provider's own words: a notice stays on the screen while that is locked.

struct EnglishNoticeStrings: NoticeStrings {
    let signIn = "Sign in"
    let colon = ": "
    let space = " "

    func signInNeeded(provider: String) -> String { "Sign in to \(provider) again" }
    func firstSignIn(provider: String) -> String { "Sign in to \(provider)" }
    func programWaits() -> String { "A program needs this account." }
    func reason(_ reason: CredentialStatus.Reason) -> String {
        switch reason {
        case .refused: "The provider no longer renews its access."
        case .tokenRefused: "The provider has withdrawn its access."
        case .refreshTokenExpired, .accessTokenExpired: "Its access has ended."
        case .scopesMissing: "Something that programs need is no longer granted."
        case .providerChanged: "The provider’s configuration changed."
        }
    }
    func endsSoon(provider: String) -> String { "Sign in to \(provider) again soon" }
    func usableUntil(_ end: Timestamp) -> String { "Programs can use this account until \(end)." }
    func worksAgain(provider: String) -> String { "\(provider) works again" }
    func moreWanted(provider: String) -> String { "\(provider): a server wants more access" }
    func wanted(_ what: String) -> String { "It wants: \(what)." }
    func run(_ command: String, instead: Bool) -> String { "\(instead ? "Or run" : "Run"): \(command)" }
}

struct JapaneseNoticeStrings: NoticeStrings {
    let signIn = "サインイン"
    let colon = "："
    let space = ""

    func signInNeeded(provider: String) -> String { "\(provider) にもう一度サインインしてください" }
    func firstSignIn(provider: String) -> String { "\(provider) にサインインしてください" }
    func programWaits() -> String { "このアカウントを必要とするプログラムがあります。" }
    func reason(_ reason: CredentialStatus.Reason) -> String {
        switch reason {
        case .refused: "プロバイダーがアクセス権を更新しなくなりました。"
        case .tokenRefused: "プロバイダーがアクセス権を取り消しました。"
        case .refreshTokenExpired, .accessTokenExpired: "アクセス権の有効期限が切れました。"
        case .scopesMissing: "プログラムに必要なアクセス権の一部が許可されていません。"
        case .providerChanged: "プロバイダーの設定が変更されました。"
        }
    }
    func endsSoon(provider: String) -> String { "\(provider) のアクセス権の有効期限が近づいています" }
    func usableUntil(_ end: Timestamp) -> String { "プログラムがこのアカウントを使えるのは \(end) までです。" }
    func worksAgain(provider: String) -> String { "\(provider) が再び使えるようになりました" }
    func moreWanted(provider: String) -> String { "\(provider)：サーバーが追加のアクセス権を求めています" }
    func wanted(_ what: String) -> String { "求められているもの：\(what)。" }
    func run(_ command: String, instead: Bool) -> String { "\(instead ? "または、" : "")次のコマンドを実行してください：\(command)" }
}

struct ItalianNoticeStrings: NoticeStrings {
    let signIn = "Accedi"
    let colon = ": "
    let space = " "

    func signInNeeded(provider: String) -> String { "Accedi di nuovo a \(provider)" }
    func firstSignIn(provider: String) -> String { "Accedi a \(provider)" }
    func programWaits() -> String { "Un programma ha bisogno di questo account." }
    func reason(_ reason: CredentialStatus.Reason) -> String {
        switch reason {
        case .refused: "Il servizio non rinnova più l’autorizzazione."
        case .tokenRefused: "Il servizio ha revocato l’autorizzazione."
        case .refreshTokenExpired, .accessTokenExpired: "L’autorizzazione è scaduta."
        case .scopesMissing: "Manca un’autorizzazione che serve ai programmi."
        case .providerChanged: "La configurazione del servizio è cambiata."
        }
    }
    func endsSoon(provider: String) -> String { "L’autorizzazione di \(provider) sta per scadere" }
    func usableUntil(_ end: Timestamp) -> String { "I programmi possono usare questo account fino a: \(end)." }
    func worksAgain(provider: String) -> String { "\(provider) funziona di nuovo" }
    func moreWanted(provider: String) -> String { "\(provider): un server chiede più autorizzazioni" }
    func wanted(_ what: String) -> String { "Chiede: \(what)." }
    func run(_ command: String, instead: Bool) -> String { "\(instead ? "Oppure esegui" : "Esegui"): \(command)" }
}
