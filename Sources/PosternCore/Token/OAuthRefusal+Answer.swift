import StrictJSON

extension OAuthRefusal {
    /// What can be read of a refusal in an answer that is known to be one: RFC 6749's members, or the `message` of GitHub and others.
    init(inErrorAnswer answer: ProviderResponse) {
        let members = answer.body.count <= TokenResponse.mostBytes ? (try? JSON(parsing: answer.body))?.objectValue : nil
        let description = members?["error_description"]?.stringValue ?? members?["message"]?.stringValue
        self.init(
            status: answer.status,
            error: members?["error"]?.stringValue.flatMap { ProviderText.cleaned($0, longest: ProviderText.longestName) },
            errorDescription: description.flatMap { ProviderText.cleaned($0, longest: ProviderText.longestDescription) })
    }
}
