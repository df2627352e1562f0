import ArgumentParser
import PosternClient

struct SignIn: ProvingCommand {
    static let intent = Intent.signIn
    static let configuration = CommandConfiguration(
        commandName: "sign-in",
        abstract: "Sign in through a provider, and say who it is.",
        discussion: """
            Opens the provider's page in your browser and waits. Without a display, over SSH, or with --no-browser it prints the \
            address and the ssh command that brings the redirect here, and takes the address of the last page pasted.

            With --device it shows a code to type on any other device, and a QR code, where the provider has that. On a terminal \
            the way can be changed while the sign-in waits: d and Enter for a code, u and Enter for the page's address.

            The provider may also be anonymous, or password: with an address and a password, which is asked for, or read from a line \
            of standard input. On a terminal it goes on where the rules of the accounts ask for more: another sign-in of the same \
            address, a second factor. Elsewhere, and with --json, it says which command leads on.

            Ctrl-C gives up. Programs that wait for the same page go on waiting; one that asks in that very instant, or took \
            the sign-in up with AttachSession, may be told that it was cancelled.

            EXAMPLES
              postern sign-in github.com
              postern sign-in work --login-hint ada@example.com --timeout 2m
              postern sign-in github.com --scope repo --scope read:org
              postern sign-in github.com --no-browser
              postern sign-in github.com --device
              postern sign-in --email ada@example.com
              postern sign-in anonymous --app my-tool
            """)

    @OptionGroup var proof: ProofOptions
    @OptionGroup var common: CommonOptions
}
