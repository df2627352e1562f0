// Modules that import these values also get their secrets.
@_exported import Secrets
