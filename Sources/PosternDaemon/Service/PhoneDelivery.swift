import PosternApplication
import PosternConfiguration
import PosternCore

extension LoadedConfiguration.PhoneDelivery {
    init(_ phone: Configuration.Phone?, resolver: SecretResolver) {
        switch phone {
        case nil: self = .none
        case .command(let command): self = .command(command)
        case .gateway(let url, let source, let caFile):
            do throws(SecretError) {
                let token = try source.map { source throws(SecretError) in try resolver.resolve(source) }
                self = .gateway(url, token: token, caFile: caFile)
            } catch {
                self = .unusable("the gateway-token of [second-factor.phone] cannot be read: \(error)")
            }
        }
    }
}
