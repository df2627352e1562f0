"""Keys of a provider in the tests: makes ID tokens, right and wrong ones, and publishes the keys."""
import functools
import hashlib
import time

from joserfc import jwk, jwt


class Keys:
    def __init__(self, issuer, audience):
        self.issuer, self.audience = issuer, audience
        self.key = jwk.RSAKey.generate_key(2048, {"kid": "k1", "use": "sig", "alg": "RS256"}, private=True)

    @functools.cached_property
    def stranger(self):
        """Another party's key with the same ID."""
        return jwk.RSAKey.generate_key(2048, {"kid": "k1"}, private=True)

    @property
    def document(self):
        return {"keys": [self.key.as_dict(private=False)]}

    def token(self, signed_by=None, **claims):
        """An ID token issued now; a claim that is None is omitted."""
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": self.audience, "sub": "1020", "iat": now, "exp": now + 3600, **claims}
        header = {"alg": "RS256", "kid": "k1"}
        return jwt.encode(header, {name: value for name, value in claims.items() if value is not None}, signed_by or self.key)


def hashed(raw):
    """A nonce in the form that is sent to Apple and Facebook."""
    return hashlib.sha256(raw.encode()).hexdigest()
