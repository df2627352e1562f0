struct JapaneseStrings: PageStrings {
    let language = PageLanguage.japanese

    let providerFallback = "サインイン先"
    let accountLabel = "アカウント"
    let askedForLabel = "求められたアカウント"
    let programLabel = "プログラム"
    let mayCloseTab = "このタブは閉じてもかまいません。"
    func notYou(provider: OutsideText) -> HTML {
        "心当たりがない場合は、\(provider) のアカウント設定でアクセスの許可を取り消してください。"
    }
    let finishingHeading = "サインインの完了を待っています"
    func finishingExplanation(provider: OutsideText) -> HTML {
        "\(provider) からの応答に少し時間がかかっています。このページは自動的に更新されます。"
    }
    func providerSays(provider: OutsideText) -> HTML { "\(provider) からのメッセージ：" }

    func failure(_ failure: FailurePage, _ situation: PageSituation) -> NoticeText {
        let (provider, program) = (situation.provider, situation.program)
        return switch failure {
        case .denied:
            NoticeText(
                heading: deniedHeading(situation.purpose),
                explanation: "\(provider) でのアクセスは許可されませんでした。ご自身で拒否した場合は、このままで問題ありません。",
                advice: "何も変更されていません。やり直す場合は、\(self.program(program))からもう一度始めてください。")
        case .timedOut:
            NoticeText(
                heading: "時間切れになりました",
                explanation: "制限時間内に手続きが終わらなかったため、サインインを中止しました。",
                advice: "\(self.program(program))からもう一度始め、数分以内に手続きを終えてください。")
        case .cancelled:
            NoticeText(
                heading: "サインインは取り消されました",
                explanation: "サインインを求めたプログラムが取り消しました。",
                advice: "サインインが必要な場合は、\(self.program(program))からもう一度始めてください。")
        case .exchangeFailed:
            NoticeText(
                heading: "サインインを完了できませんでした",
                explanation: "\(provider) 側の理由で、アクセス権の発行が拒否されました。",
                advice: """
                    \(self.program(program))からもう一度始めてください。繰り返す場合は \
                    <code>postern provider check</code> で設定を確認してください。
                    """)
        case .unreachable:
            NoticeText(
                heading: "サインイン先に接続できませんでした",
                explanation: "応答は届きましたが、その後 \(provider) との通信に失敗しました。拒否されたわけではありません。",
                advice: "ネットワーク接続を確認し、しばらくしてからもう一度始めてください。")
        case .invalidIDToken:
            NoticeText(
                heading: "応答を信頼できませんでした",
                explanation: "\(provider) から届いた本人確認の証明が正しくないため、サインインを行いませんでした。",
                advice: "このコンピューターの時刻が正しいことを確認し、\(self.program(program))からもう一度始めてください。")
        case .otherAccount:
            NoticeText(
                heading: "別のアカウントです",
                explanation: "\(provider) に、求められたものとは別のアカウントでサインインしたため、何も保存しませんでした。",
                advice: "\(provider) でアカウントを切り替えるか、別のブラウザーまたはプロファイルを使い、\(self.program(program))からもう一度始めてください。")
        case .accountExists: accountExists(situation)
        case .credentialInUse: credentialInUse(situation)
        case .emailInUse: emailInUse(situation)
        case .providerAlreadyLinked: providerAlreadyLinked(situation)
        case .noCurrentUser: noCurrentUser(situation)
        case .secondFactorRequired: secondFactorRequired(situation)
        case .notConfigured:
            NoticeText(
                heading: "設定が完了していません",
                explanation: "\(provider) でのサインインに必要な設定が Postern にありません。",
                advice: "<code>postern doctor</code> を実行すると、足りない設定がわかります。")
        case .storeProblem:
            NoticeText(
                heading: "結果を保存できませんでした",
                explanation: "\(provider) での手続きは終わりましたが、結果をこのコンピューターに保存できませんでした。",
                advice: "ディスクの空き容量を確認してから、もう一度始めてください。原因は <code>postern doctor</code> で調べられます。")
        case .internal:
            NoticeText(
                heading: "問題が発生しました",
                explanation: "Postern の内部で問題が起きました。操作の誤りではありません。",
                advice: """
                    \(self.program(program))からもう一度始めてください。繰り返す場合は \
                    <code>journalctl --user -u postern</code> を確認してください。
                    """)
        }
    }

    /// With the space that sets Latin letters apart from what follows.
    func program(_ program: OutsideText?) -> HTML { program.map { "\($0) " } ?? "元のプログラム" }

    let fragmentHeading = "お待ちください"
    let fragmentExplanation = "サインインの結果を引き渡しています。"
    let fragmentNeedsScriptHeading = "スクリプトが必要です"
    let fragmentNeedsScript = """
        このサインイン先の応答を読み取るには、スクリプトが必要です。このページでスクリプトを許可して再読み込みするか、\
        アドレスバーの URL 全体をコピーして、元のプログラムに貼り付けてください。
        """
    let fragmentEmptyHeading = "応答が届いていません"
    let fragmentEmptyExplanation = """
        ここはサインインの結果を受け取るページですが、応答が含まれていませんでした。元のプログラムからもう一度サインインしてください。
        """

    func notice(_ notice: Notice) -> NoticeText {
        switch notice {
        case .notRecognised:
            NoticeText(
                heading: "確認できないサインインです",
                explanation: "この応答に対応するサインインは、ここでは待機していません。期限が切れたか、すでに使用された可能性があります。",
                advice: "元のプログラムからもう一度始めてください。心当たりがない場合は、このままタブを閉じてください。何も変更されていません。")
        case .storeLocked:
            NoticeText(
                heading: "Postern はロックされています",
                explanation: "保管庫を開けないため、プロバイダーからの応答はまだ受け取っていません。",
                advice: "<code>postern unlock</code> でロックを解除してから、このページを再読み込みしてください。何も変更されていません。")
        case .storeUnusable:
            NoticeText(
                heading: "Postern は保管庫を開けません",
                explanation: "プロバイダーからの応答はまだ受け取っていません。",
                advice: "<code>postern doctor</code> で原因を確認してから、このページを再読み込みしてください。何も変更されていません。")
        case .configurationInvalid:
            NoticeText(
                heading: "Postern の設定に誤りがあります",
                explanation: "修正されるまで、サインインはできません。プロバイダーからの応答は使用していません。",
                advice: "設定を修正して <code>postern reload</code> を実行してから、このページを再読み込みしてください。")
        case .malformed:
            NoticeText(
                heading: "リクエストを処理できませんでした",
                explanation: "届いた内容は、サインインの応答ではありません。",
                advice: "元のプログラムからもう一度サインインしてください。")
        case .resultUnknown:
            NoticeText(
                heading: "結果は残っていません",
                explanation: "このページが示していたサインインの記録は、もうありません。",
                advice: "元のプログラムを確認し、まだサインインを求められる場合は、そこからもう一度始めてください。")
        case .signedOut:
            NoticeText(
                heading: "サインアウトしました",
                explanation: "このブラウザーでのセッションはサービス側で終了し、Postern も認証情報を消去しました。",
                advice: "このタブは閉じてかまいません。")
        case .linkUsed:
            NoticeText(
                heading: "このリンクは一度しか使えません",
                explanation: "すでに使われたか、期限が切れています。",
                advice: "サインアウトするつもりだった場合は、サービスのページでまだサインインしたままかどうかを確認してください。")
        case .noResultAsked:
            NoticeText(
                heading: "表示する結果がありません",
                explanation: "サインインの結果は、このページに表示されます。",
                advice: "サインインは、プログラムまたは <code>postern sign-in</code> から始めます。")
        case .notFound:
            NoticeText(
                heading: "ページがありません",
                explanation: "このアドレスは、このコンピューターでサインインを受け取る Postern のものです。",
                advice: "サインインは、プログラムまたは <code>postern sign-in</code> から始めます。")
        case .wrongMethod:
            NoticeText(
                heading: "この操作はできません",
                explanation: "アドレスは正しいのですが、使い方が異なります。",
                advice: "元のプログラムからもう一度サインインしてください。")
        case .wrongHost:
            NoticeText(
                heading: "アドレスが違います",
                explanation: "ブラウザーが指定した名前は、Postern のものではありません。",
                advice: "サインインの途中であれば、サインイン先に登録したリダイレクト先を確認してください。そうでなければ、このタブを閉じてください。")
        case .notEncrypted:
            NoticeText(
                heading: "アドレスは https で始まります",
                explanation: "Postern はここで暗号化された接続でサインインを受け取りますが、ブラウザーは暗号化せずに接続しました。",
                advice: """
                    アドレスバーの <code>http</code> を <code>https</code> に変えてください。サインイン先から移動してきた場合は、\
                    <code>postern provider show</code> が示すアドレスを登録してください。
                    """)
        case .notNavigated:
            NoticeText(
                heading: "リクエストを受け付けませんでした",
                explanation: "サインインは、利用者が自分で開いたページからのみ受け付けます。",
                advice: "サインインの途中であれば、リンクをタブで直接開いてください。")
        case .timedOut:
            NoticeText(
                heading: "リクエストに時間がかかりすぎました",
                explanation: "制限時間内に届きませんでした。",
                advice: "このページを再読み込みしてください。")
        case .tooLarge:
            NoticeText(
                heading: "リクエストが大きすぎます",
                explanation: "サインインに必要な大きさを超えています。",
                advice: "元のプログラムからもう一度サインインしてください。")
        case .failed:
            NoticeText(
                heading: "問題が発生しました",
                explanation: "Postern の内部で問題が起きました。操作の誤りではありません。",
                advice: "このページを再読み込みしてください。繰り返す場合は <code>journalctl --user -u postern</code> を確認してください。")
        }
    }
}
