// A program that signs a person in needs the interface's types: users, credentials, errors.
@_exported import PosternInterface
