// Whoever has a value of the core has those that it is made of, and its secrets, at hand.
@_exported import PosternValues
@_exported import Secrets
