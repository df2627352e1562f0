// Modules that import the core also get its values and their secrets.
@_exported import PosternValues
@_exported import Secrets
