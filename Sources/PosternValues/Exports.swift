// Whoever has such a value has its secrets at hand.
@_exported import Secrets
