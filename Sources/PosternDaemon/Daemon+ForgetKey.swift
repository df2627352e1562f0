import PosternCore
import PosternStore

extension Daemon {
    /// Removes the store's item from the keyring; a key that is kept elsewhere is not affected.
    ///
    /// - Returns: the exit status: 0 also if there was nothing to remove.
    public static func forgetKey(_ options: DaemonOptions) -> Int32 {
        do throws(StartError) {
            let directory = try options.state()
            let source: KeySource?
            do throws(StoreError) { source = try Store.keySource(in: directory) } catch {
                complain("\(error)")
                return 1
            }
            guard case .secretService(let item)? = source else {
                print(source.map { "the store's key is not in the keyring, but in \($0)" } ?? "there is no store in \(directory)")
                return 0
            }
            return remove(item)
        } catch {
            complain(error.description)
            return error.exitStatus
        }
    }

    private static func remove(_ item: KeyringItem) -> Int32 {
        // A store's name may begin with a hyphen.
        let byHand = "secret-tool clear -- \(KeyChoice.attributes(of: item).map { "\($0) \($1)" }.joined(separator: " "))"
        do throws(KeyringUnavailable) {
            let isRemoved = try DesktopKeyring().remove(item)
            print(isRemoved ? "the store's key was removed from the keyring" : "the store's key is no longer in the keyring")
            return 0
        } catch {
            complain("the store's key stays in the keyring: \(error.reason); unlock it, then: \(byHand)")
            return 1
        }
    }
}
