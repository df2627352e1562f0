/// What concerns the accounts: linking, confirming who one is, and what the rules refuse.
extension JapaneseStrings {
    func completedHeading(_ purpose: ResultSummary.Purpose) -> String {
        switch purpose {
        case .signIn: "サインインしました"
        case .link: "アカウントを連携しました"
        case .reauthenticate: "ご本人であることを確認しました"
        }
    }

    func completedExplanation(_ situation: PageSituation) -> HTML {
        let provider = situation.provider
        let back: HTML = "\(program(situation.program))に戻って続けてください。"
        switch (situation.purpose, situation.user) {
        case (.signIn, _): return "\(provider) での本人確認が完了しました。\(back)"
        case (.link, _): return "\(provider) をあなたのアカウントに連携しました。今後は \(provider) でもサインインできます。\(back)"
        case (.reauthenticate, let user?): return "引き続き \(user) さんとしてご利用中です。\(provider) で確認しました。\(back)"
        case (.reauthenticate, nil): return "引き続き同じ方がご利用中であることを、\(provider) で確認しました。\(back)"
        }
    }

    func deniedHeading(_ purpose: ResultSummary.Purpose) -> String {
        switch purpose {
        case .signIn: "サインインしていません"
        case .link: "連携していません"
        case .reauthenticate: "確認していません"
        }
    }

    func providerLabel(_ purpose: ResultSummary.Purpose) -> String {
        switch purpose {
        case .signIn: "サインイン先"
        case .link: "連携サービス"
        case .reauthenticate: "確認元"
        }
    }

    var linkedToLabel: String { "ユーザー" }
    var ownersWaysLabel: String { "サインイン方法" }
    var passwordName: String { "パスワード" }

    func accountExists(_ situation: PageSituation) -> NoticeText {
        NoticeText(
            heading: "このメールアドレスは登録済みです",
            explanation: """
                \(situation.provider) のアカウントのメールアドレスは、別の方法でサインインするユーザーのものです。サインインは行われず、何も変更されていません。
                """,
            advice: """
                ご自身のアカウントであれば、\(program(situation.program))に戻り、これまでの方法でサインインしてから \(situation.provider) を連携してください。
                """)
    }

    func credentialInUse(_ situation: PageSituation) -> NoticeText {
        NoticeText(
            heading: "別のユーザーのアカウントです",
            explanation: """
                この \(situation.provider) のアカウントは、すでに別のユーザーに連携されているため、連携しませんでした。何も変更されていません。
                """,
            advice: """
                \(program(situation.program))に戻ると、\(situation.provider) でサインインしてそのユーザーに切り替えるか、別のアカウントを連携できます。
                """)
    }

    func emailInUse(_ situation: PageSituation) -> NoticeText {
        NoticeText(
            heading: "別のユーザーのメールアドレスです",
            explanation: """
                \(situation.provider) のアカウントのメールアドレスは別のユーザーのものであるため、連携しませんでした。何も変更されていません。
                """,
            advice: "\(program(situation.program))でそのユーザーとしてサインインしてから、\(situation.provider) を連携してください。")
    }

    func providerAlreadyLinked(_ situation: PageSituation) -> NoticeText {
        NoticeText(
            heading: "すでに連携されています",
            explanation: "\(situation.provider) のアカウントはすでに連携されています。連携できるのは一つだけです。何も変更されていません。",
            advice: """
                こちらに替える場合は、先に元のプログラムまたは <code>postern unlink</code> で今の連携を解除してください。
                """)
    }

    func noCurrentUser(_ situation: PageSituation) -> NoticeText {
        NoticeText(
            heading: "誰もサインインしていません",
            explanation: "\(situation.provider) での本人確認は完了しましたが、ここでは誰もサインインしていません。何も変更されていません。",
            advice: "先にサインインしてから、\(program(situation.program))でもう一度始めてください。")
    }

    func secondFactorRequired(_ situation: PageSituation) -> NoticeText {
        NoticeText(
            heading: "あと一つ手順があります",
            explanation: "\(situation.provider) での本人確認が完了しました。続けて確認コードが必要です。",
            advice: "\(program(situation.program))に戻り、コードを入力してください。")
    }
}
