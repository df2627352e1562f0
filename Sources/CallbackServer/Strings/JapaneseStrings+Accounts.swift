import PosternCore

/// Texts about the accounts: linking, reauthentication, and refusals by the rules.
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
        case (.signIn, _): return "\(provider) での認証が完了しました。\(back)"
        case (.link, _): return "\(provider) をアカウントに連携しました。今後は \(provider) でもサインインできます。\(back)"
        case (.reauthenticate, let user?): return "\(provider) で \(user) としての本人確認が完了しました。\(back)"
        case (.reauthenticate, nil): return "\(provider) で本人確認が完了しました。\(back)"
        }
    }

    func deniedHeading(_ purpose: ResultSummary.Purpose) -> String {
        switch purpose {
        case .signIn: "サインインは行われませんでした"
        case .link: "連携は行われませんでした"
        case .reauthenticate: "本人確認は行われませんでした"
        }
    }

    func providerLabel(_ purpose: ResultSummary.Purpose) -> String {
        switch purpose {
        case .signIn: "サインイン方法"
        case .link: "連携先"
        case .reauthenticate: "確認方法"
        }
    }

    var linkedToLabel: String { "ユーザー" }
    var ownersWaysLabel: String { "サインイン方法" }
    var alreadyLinkedLabel: String { "連携済みのアカウント" }
    var passwordName: String { "パスワード" }

    func linksHeading(_ count: Int) -> String { "あなたのアカウントですか？" }
    func linksExplanation(areLost: Bool) -> String {
        areLost
            ? "初めてのサインインより前に、プログラムが連携したため、解除しました。残すのはご自身のものだけにしてください。連携したアカウントの持ち主は、あなたとしてサインインできます。"
            : "サインインした直後ではないときに、プログラムが連携しました。残すのはご自身のものだけにしてください。連携したアカウントの持ち主は、あなたとしてサインインできます。"
    }
    func linkedAt(_ moment: String) -> String { "連携日時：\(moment)" }
    func linkButton(_ answer: LinkReview.Answer) -> String {
        switch answer {
        case .keep: "残す"
        case .remove: "解除する"
        }
    }
    func linkAnswer(_ status: LinkReview.Status, isLost: Bool) -> String {
        switch status {
        case .open: ""
        case .answered(.keep): "残しました"
        case .answered(.remove): "解除しました"
        case .notSaved: "回答を保存できませんでした。もう一度お試しください。"
        case .over where isLost: "何も変更していません。ご自身のアカウントであれば、プログラムからもう一度連携してください。"
        case .over: "何も変更していません。次のサインインでもう一度お尋ねします。"
        }
    }

    func failure(_ page: AccountRefusal.Page, _ situation: PageSituation) -> NoticeText {
        let (provider, program) = (situation.provider, self.program(situation.program))
        return switch page {
        case .otherAccount:
            NoticeText(
                heading: "指定とは異なるアカウントです",
                explanation: "指定されたものとは異なる \(provider) アカウントでサインインしました。何も保存していません。",
                advice: "\(provider) でアカウントを切り替えるか、別のブラウザーまたはプロファイルを使い、\(program)でもう一度お試しください。")
        case .accountExists:
            NoticeText(
                heading: "このメールアドレスは登録済みです",
                explanation: """
                    \(provider) のアカウントのメールアドレスは、別の方法でサインインするユーザーがすでに使用しています。サインインは行われず、何も変更されていません。
                    """,
                advice: """
                    ご自身のアカウントであれば、\(program)に戻り、これまでの方法でサインインしてから \(provider) を連携してください。
                    """)
        case .credentialInUse:
            NoticeText(
                heading: "このアカウントは別のユーザーに連携済みです",
                explanation: """
                    この \(provider) のアカウントは、すでに別のユーザーに連携されているため、連携しませんでした。何も変更されていません。
                    """,
                advice: """
                    \(program)に戻り、\(provider) でサインインしてそのユーザーに切り替えるか、別のアカウントを連携してください。
                    """)
        case .emailInUse:
            NoticeText(
                heading: "別のユーザーのメールアドレスです",
                explanation: """
                    \(provider) のアカウントのメールアドレスは別のユーザーのものであるため、連携しませんでした。何も変更されていません。
                    """,
                advice: "\(program)でそのユーザーとしてサインインしてから、\(provider) を連携してください。")
        case .providerAlreadyLinked:
            NoticeText(
                heading: "連携済みのアカウントがあります",
                explanation: "連携できる \(provider) アカウントは 1 つだけで、すでに連携済みです。何も変更されていません。",
                advice: """
                    このアカウントに切り替えるには、先に元のプログラムまたは <code>postern unlink</code> で現在の連携を解除してください。
                    """)
        case .noCurrentUser:
            NoticeText(
                heading: "サインイン中のユーザーがいません",
                explanation: "\(provider) での認証は完了しましたが、Postern にサインイン中のユーザーがいません。何も変更されていません。",
                advice: "先にサインインしてから、\(program)でもう一度お試しください。")
        case .secondFactorRequired:
            NoticeText(
                heading: "確認コードが必要です",
                explanation: "\(provider) での認証が完了しました。続けるには、確認コードも必要です。",
                advice: "\(program)に戻り、コードを入力してください。")
        case .linkNotProved:
            NoticeText(
                heading: "このアカウントではまだ本人確認ができません",
                explanation: "この \(provider) アカウントは、直近のサインインなしに連携されたため、本人確認には使えません。何も変更されていません。",
                advice: "別の方法でサインインし、その後のページでこのアカウントを残してください。")
        case .personNotSeen:
            NoticeText(
                heading: "本人確認ができませんでした",
                explanation: "\(provider) が再認証を求めずに応答したため、本人確認にはなりません。何も変更されていません。",
                advice: "\(provider) からサインアウトしてから\(program)でもう一度お試しいただくか、別の方法で本人確認を行ってください。")
        case .accountNotConfirmed:
            NoticeText(
                heading: "このアカウントで正しいですか",
                explanation: "指定されたアカウントかどうかを \(provider) では確認できません。まだ何も保存していません。",
                advice: "\(program)に戻り、質問に答えてください。")
        }
    }
}
