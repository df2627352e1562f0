import PosternConfiguration

import struct PosternCore.ProviderRegistration

/// git's settings, where its passwords are what the tokens are for.
extension SetupDialogue {
    /// Offers git's settings where its passwords are what the tokens are for.
    func offerGit(_ target: SetupTarget, _ purpose: Purpose?) throws {
        guard let prompt, let configured = try file.text(environment).configuration().provider(target.id)?.provider,
            purpose?.isForGit ?? isForGit(configured.scopes, of: target), let url = configured.serves.first?.text
        else { return }
        guard let helper = GitSettings(for: url, environment) else {
            return say("git can ask Postern only if git-credential-postern, which comes with it, is in PATH.")
        }
        guard !helper.isSet else { return say("git asks Postern for \(url) already.".plain) }
        say("", "To make git ask Postern for \(url):".plain)
        for line in helper.lines { say("  " + line.plain) }
        let replaced = helper.replaced
        if !replaced.isEmpty { say("It asks this now, and would stop: \(replaced.joined(separator: ", "))".plain) }
        guard try prompt.isYes("Set it now?", byDefault: replaced.isEmpty) else { return }
        try helper.set()
    }

    /// Nobody has said what the tokens are for, but their scopes are among those that git needs.
    func isForGit(_ scopes: [String], of target: SetupTarget) -> Bool {
        let purposes = ProviderRegistration.of(target.id, target.kind)?.purposes ?? []
        guard let git = purposes.first(where: \.isForGit), let least = purposes.last else { return false }
        return !Set(git.scopes).subtracting(least.scopes).isDisjoint(with: scopes)
    }
}
