// Who signs a person in needs the interface's types at hand: users, credentials, errors.
@_exported import PosternInterface
