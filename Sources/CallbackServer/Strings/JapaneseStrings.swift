import PosternCore

struct JapaneseStrings: PageStrings {
    let language = PageLanguage.japanese

    let providerFallback = "（名称不明）"
    let accountLabel = "アカウント"
    let askedForLabel = "指定されたアカウント"
    let programLabel = "プログラム"
    let mayCloseTab = "このタブは閉じてもかまいません。"
    func notYou(provider: OutsideText) -> HTML {
        "心当たりがない場合は、\(provider) のアカウント設定でアクセスの許可を取り消してください。"
    }
    let finishingHeading = "サインインを完了しています"
    func finishingExplanation(provider: OutsideText) -> HTML {
        "\(provider) からの応答に少し時間がかかっています。このページは自動的に更新されます。"
    }
    func providerSays(provider: OutsideText) -> HTML { "\(provider) からのメッセージ：" }

    func failure(_ page: ProviderFailure.Page, _ situation: PageSituation) -> NoticeText {
        let (provider, program) = (situation.provider, self.program(situation.program))
        return switch page {
        case .denied:
            NoticeText(
                heading: deniedHeading(situation.purpose),
                explanation: "アクセスは許可されませんでした。ご自身で拒否した場合は、何もする必要はありません。",
                advice: "やり直す場合は、\(program)でもう一度お試しください。")
        case .exchangeFailed:
            NoticeText(
                heading: "サインインを完了できませんでした",
                explanation: "\(provider) からアクセス権を取得できませんでした。",
                advice: """
                    \(program)でもう一度お試しください。問題が続く場合は \
                    <code>postern doctor</code> で設定を確認してください。
                    """)
        case .foreignAnswer:
            NoticeText(
                heading: "サインインを完了できませんでした",
                explanation:
                    "応答の発行元が要求先のプロバイダーと異なるため、Postern がサインインを中止しました。何も送信していません。",
                advice:
                    "\(program)でもう一度お試しください。問題が続く場合は、サインインが第三者に妨害されている可能性があります。")
        case .unreachable:
            NoticeText(
                heading: "プロバイダーに接続できませんでした",
                explanation: "応答は届きましたが、その後 \(provider) との通信に失敗しました。拒否されたわけではありません。",
                advice: "ネットワーク接続を確認し、しばらくしてからもう一度お試しください。")
        case .invalidIDToken:
            NoticeText(
                heading: "応答を信頼できませんでした",
                explanation: "\(provider) から届いた ID 情報を検証できなかったため、サインインを中止しました。",
                advice: "このコンピューターの時刻が正しいことを確認し、\(program)でもう一度お試しください。")
        case .notConfigured:
            NoticeText(
                heading: "このプロバイダーは設定されていません",
                explanation: "\(provider) でのサインインに必要な設定が Postern にありません。",
                advice: "<code>postern doctor</code> を実行すると、足りない設定がわかります。")
        case .scopeRejected:
            NoticeText(
                heading: "スコープが受け付けられませんでした",
                explanation: "Postern が要求したスコープを \(provider) は受け付けません。",
                advice: """
                    \(program)が要求するスコープを確認するか、設定のスコープを変更してください: \
                    <code>\(self.scopesCommand(situation))</code>
                    """)
        case .storeProblem:
            NoticeText(
                heading: "結果を保存できませんでした",
                explanation: "\(provider) での認証は完了しましたが、結果をこのコンピューターに保存できませんでした。",
                advice: "ディスクの空き容量を確認してから、もう一度お試しください。原因は <code>postern doctor</code> で調べられます。")
        case .internal:
            NoticeText(
                heading: "問題が発生しました",
                explanation: "Postern の内部でエラーが発生しました。操作が原因ではありません。",
                advice: """
                    \(program)でもう一度お試しください。問題が続く場合は \
                    <code>journalctl --user -u postern</code> を確認してください。
                    """)
        }
    }

    func failure(_ page: SignInFailure.Ending.Page, _ situation: PageSituation) -> NoticeText {
        let program = self.program(situation.program)
        return switch page {
        case .timedOut:
            NoticeText(
                heading: "サインインがタイムアウトしました",
                explanation: "制限時間内に手続きが終わりませんでした。",
                advice: "\(program)でもう一度お試しになり、数分以内に手続きを終えてください。")
        case .cancelled:
            NoticeText(
                heading: "サインインはキャンセルされました",
                explanation: "開始したプログラムがキャンセルしました。",
                advice: "続ける場合は、\(program)でもう一度お試しください。")
        }
    }

    /// With the space that separates Latin letters from what follows.
    func program(_ program: OutsideText?) -> HTML { program.map { "\($0) " } ?? "元のプログラム" }

    let fragmentHeading = "お待ちください"
    let fragmentExplanation = "サインインを完了しています。"
    let fragmentNeedsScriptHeading = "JavaScript が必要です"
    let fragmentNeedsScript = """
        このプロバイダーの応答を読み取るには、JavaScript が必要です。このページで JavaScript を許可して再読み込みするか、\
        アドレスバーの URL 全体をコピーして、元のプログラムに貼り付けてください。
        """
    let fragmentEmptyHeading = "応答が届いていません"
    let fragmentEmptyExplanation = """
        ここはサインインの結果を受け取るページですが、応答が含まれていませんでした。元のプログラムでもう一度お試しください。
        """

    func notice(_ notice: Notice) -> NoticeText {
        switch notice {
        case .notRecognised:
            NoticeText(
                heading: "このサインインは期限切れか使用済みです",
                explanation: "この応答に対応する待機中のサインインがありません。",
                advice: "元のプログラムでもう一度お試しください。心当たりがない場合は、このままタブを閉じてください。何も変更されていません。")
        case .storeLocked:
            NoticeText(
                heading: "Postern はロックされています",
                explanation: "保管庫がロックされているため、プロバイダーからの応答はまだ使用していません。",
                advice: "<code>postern unlock</code> でロックを解除してから、このページを再読み込みしてください。何も変更されていません。")
        case .storeUnusable:
            NoticeText(
                heading: "Postern は保管庫を開けません",
                explanation: "プロバイダーからの応答はまだ使用していません。",
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
                advice: "元のプログラムでもう一度お試しください。")
        case .resultUnknown:
            NoticeText(
                heading: "この結果は表示できません",
                explanation: "このサインインの記録は残っていません。",
                advice: "元のプログラムを確認し、まだサインインを求められる場合は、そこでもう一度お試しください。")
        case .signedOut:
            NoticeText(
                heading: "サインアウトしました",
                explanation: "このブラウザーでのセッションはプロバイダー側で終了し、Postern も認証情報を削除しました。",
                advice: "このタブは閉じてもかまいません。")
        case .linkUsed:
            NoticeText(
                heading: "このリンクは一度しか使えません",
                explanation: "期限が切れたか、すでに使用されています。",
                advice: "プロバイダーのページで、サインインしたままになっていないか確認してください。")
        case .noResultAsked:
            NoticeText(
                heading: "表示する結果がありません",
                explanation: "サインインの結果は、このページに表示されます。",
                advice: "サインインは、プログラムまたは <code>postern sign-in</code> から始めます。")
        case .notFound:
            NoticeText(
                heading: "ページが見つかりません",
                explanation: "このアドレスは、このコンピューターでサインインを受け取る Postern のものです。",
                advice: "サインインは、プログラムまたは <code>postern sign-in</code> から始めます。")
        case .wrongMethod:
            NoticeText(
                heading: "サポートされていないリクエストです",
                explanation: "このページはこの方法では開けません。",
                advice: "元のプログラムでもう一度お試しください。")
        case .wrongHost:
            NoticeText(
                heading: "アドレスが違います",
                explanation: "ブラウザーが指定した名前は、Postern のものではありません。",
                advice: "サインインの途中であれば、プロバイダーに登録したコールバック URL を確認してください。そうでなければ、このタブを閉じてください。")
        case .notEncrypted:
            NoticeText(
                heading: "https で接続してください",
                explanation: "Postern は暗号化された接続でのみサインインを受け取りますが、ブラウザーは暗号化せずに接続しました。",
                advice: """
                    アドレスバーの <code>http</code> を <code>https</code> に変えてください。プロバイダーから移動してきた場合は、\
                    <code>postern provider show</code> が示すアドレスを登録してください。
                    """)
        case .notNavigated:
            NoticeText(
                heading: "リクエストを受け付けませんでした",
                explanation: "サインインは、ユーザーが自分で開いたページからのみ受け付けます。",
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
                advice: "元のプログラムでもう一度お試しください。")
        case .failed:
            NoticeText(
                heading: "問題が発生しました",
                explanation: "Postern の内部でエラーが発生しました。操作が原因ではありません。",
                advice: "このページを再読み込みしてください。問題が続く場合は <code>journalctl --user -u postern</code> を確認してください。")
        }
    }
}
