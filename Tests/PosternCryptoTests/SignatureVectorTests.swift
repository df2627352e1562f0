import PosternCore
import PosternCrypto
import Testing

/// Signatures that others made.
@Suite("Signature vectors")
struct SignatureVectorTests {
    struct Vector: Sendable, CustomStringConvertible {
        var description: String
        var algorithm: SignatureAlgorithm
        var key: PublicKey
        var message: String
        var signature: String
        var isValid = true
    }

    private static func bytes(_ text: String) -> [UInt8] { Base64URL.decode(text) ?? [] }

    private static let rfc7515Payload =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    /// From Python's `cryptography`.
    private static let pssKey = PublicKey.rsa(
        modulus: bytes(
            "voVJsYtVIHVUe4pWEC-MSuHWmyXEO3cjG9s0Zq0LjUNRY8AweQ1AXfz9yagM9syHL8cFKxcoQwhSKiSJWz1rtypWpl3NX2wZaEAKNvZjrg_7TvF955ruqdv-"
                + "6qQZbwlcvTyZOb6sRkSzuYz8ah9O81nmHSWSFAh7BHDOdqijWDYvt3-15NDeDsRrzUL660BBLBhwu585naMVsBzna3B8PIkPPH7QplHzHW3WZrVKJA8T"
                + "pIitOatahieOM8b7f762I1scnKNN_uCZiiXJYvBmOHh5ii-7wfgeIKJ_82c9zdfMJ1Xb-Lfzznys4_GK4hBjXvvkURhSo1_vOuK45PnOOQ"),
        exponent: [1, 0, 1])
    private static let pssMessage = "eyJhbGciOiJQUzI1NiJ9.eyJpc3MiOiJqb2UifQ"

    static let vectors: [Vector] = [
        Vector(
            description: "RFC 7515 A.2", algorithm: .rs256,
            key: .rsa(
                modulus: bytes(
                    "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pC"
                        + "gNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2Ca"
                        + "pHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9g"
                        + "b54h4FRWyuXpoQ"), exponent: bytes("AQAB")),
            message: "eyJhbGciOiJSUzI1NiJ9." + rfc7515Payload,
            signature:
                "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZ"
                + "cAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-e"
                + "OkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"),
        Vector(
            description: "RFC 7515 A.3", algorithm: .es256,
            key: .p256(
                x: bytes("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"), y: bytes("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")),
            message: "eyJhbGciOiJFUzI1NiJ9." + rfc7515Payload,
            signature: "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"),
        Vector(
            description: "RFC 8037 A.4", algorithm: .edDSA, key: .ed25519(bytes("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")),
            message: "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
            signature: "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"),
        Vector(
            description: "PS256", algorithm: .ps256, key: pssKey, message: pssMessage,
            signature:
                "JVwvLl2DhyPQtduRXYmH2Z9TykBVHJ5q4pfEDOxGu8m_Z8TMhH96nzto4dpYNE3sirEhfWpaspeVhFJA7k2tVNgsarMcBiOsqoaJV3RhlwKUIriLYday"
                + "dV1hwCfHs7W1G_hSa5s6BFNakFIjWR3CfgD0xSaI8qkq8e0wkaR1BrnO0qXRPd2_EeIL9fYDFD8u3JAhTCUZOLoUFpvXEI6-nixbdHK0HQWFmdoL3ap-"
                + "QVitVIDZrabzQl4Q98ylTY4iCohhX1eidvn5GZ2vE4wBQ9t0CuhiV39Hml7mexWv_32Vt2f-8D_FyAG7KYGt10giwpv65UnyIAv_3dUhyqTTyQ"),
        Vector(
            description: "PSS with a salt of 20 bytes", algorithm: .ps256, key: pssKey, message: pssMessage,
            signature:
                "jm9FgRR2JdGXsPRqm-M1bWi_RwfMqAuSwZsxBA1AyIsPZTjj1ePJOEpqgfyvZXnDYDX7QTAWZXV4K7RPlNXdq5EPuzoy44quV0hxgi54tFr9tKPTIL_v"
                + "X6G1-B4iH5BRKHXh-IAujuevYe-hWDPHsrQ-LCaoXCT0U6GtZJYo7kP6-nxyThd1jNz-do5nB61_ljAahEXpN9X3VlDRnKusnYxdQlwqKD_Qe8q_oDKl"
                + "ABhmoOClpOU8iWtxQMb4v7TTmdIbA02t0VL_N1TRrRreaqCzTPqq-bCehd9RovIa0BVHKytfpzTKOp370ggYuBl5qSvoj-OH36Bf79_9j9Ll5Q",
            isValid: false),
        Vector(
            description: "PSS with MGF1 over SHA-1", algorithm: .ps256, key: pssKey, message: pssMessage,
            signature:
                "NPxTbtnRnhhkpbp8R8IgSV-sDTdkQEW0cAT9CW5uclEFjdDxKNGiu2GXeWohg5ZKWHVvqjGuYmBtdK7mLSCiMbBEg8-0SHUhGdF3YHeDWeAfUDtNqh0t"
                + "lTVsYNjsIfx6XmW5i9qdLUsJQbBvoYCvsh6hARpzG3V8Vpfd5cu0O27hiAsJiQFvfkBKXSFPORGCtqZsACTvKITudPLcX77LGd8gvClq0ah64uJ4zHe_"
                + "bABnDojGKMhxX6_Nz1PBpCnXyFaySrCDdIMaaaiqixUntpXDA0wcYZ0axc3FRrUs5GR6kpcSWSbEL3WvAEuoJZT_Trp_23mHKvlKFNNGhcezvw",
            isValid: false),
        Vector(
            description: "RS256, correct but by a key of 1024 bits", algorithm: .rs256,
            key: .rsa(
                modulus: bytes(
                    "uv5cF7wEpR9LghXS-edWjG-5fbji1Pfo79ZISNGnOGjO4IWzWRnitRTcM_3I3IK1qcvoP6g4GyVgXu8sNe7lvi6paCzewmz1741Tqrh1dexWcYKQ"
                        + "TFVGzV5xHLW5vhR3-yzjZS-1HWXvYOZ_gjj2kl5lk_tz-PrWMioQMRH984U"), exponent: [1, 0, 1]), message: pssMessage,
            signature:
                "KUB2w8vScUHwnYMLTwN-nz2gfWHy--voElhIVjrCoQCn8AIR4HVth0IvyRp2l45MLGT7DFM9wm8yjNnpBsyMWbFnBtndATgCTtj-UGS7oYrGJ7Qn82Ra"
                + "akRh8HnGYDeHktVGeO1JvtPb0te52N_K1Vk4ePH3CBy2Jh4e_7W1PQk", isValid: false),
    ]

    @Test("signatures made by others are judged rightly", arguments: vectors)
    func verdict(_ vector: Vector) {
        let signature = Self.bytes(vector.signature)
        let message = Array(vector.message.utf8)
        func isValid(_ signature: [UInt8], _ message: [UInt8]) -> Bool {
            OpenSSLCryptography().isValid(signature: signature, over: message, algorithm: vector.algorithm, key: vector.key)
        }
        #expect(signature.count >= 64)
        #expect(isValid(signature, message) == vector.isValid)
        #expect(!isValid(signature, message + [0x20]))
        #expect(!isValid(Array(signature.dropLast()), message))
        #expect(!isValid(signature + [0], message))
        #expect(!isValid([0] + signature, message))
        #expect(!isValid([UInt8](repeating: 0, count: signature.count), message))
        #expect(!isValid([UInt8](repeating: 0xff, count: signature.count), message))
    }

    @Test("leading zeros before a modulus change nothing")
    func leadingZero() throws {
        guard case .rsa(let modulus, let exponent) = Self.vectors[0].key else { return }
        let key = PublicKey.rsa(modulus: [0, 0] + modulus, exponent: [0] + exponent)
        #expect(
            OpenSSLCryptography().isValid(
                signature: Self.bytes(Self.vectors[0].signature), over: Array(Self.vectors[0].message.utf8), algorithm: .rs256, key: key))
    }

    @Test("an ECDSA signature in DER is no JWS signature")
    func derIsRefused() throws {
        let raw = Self.bytes(Self.vectors[1].signature)
        func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            let padded = (bytes.first ?? 0) & 0x80 == 0 ? Array(bytes) : [0] + Array(bytes)
            return [2, UInt8(padded.count)] + padded
        }
        let content = integer(raw[..<32]) + integer(raw[32...])
        let der = [0x30, UInt8(content.count)] + content
        let message = Array(Self.vectors[1].message.utf8)
        #expect(!OpenSSLCryptography().isValid(signature: der, over: message, algorithm: .es256, key: Self.vectors[1].key))
    }
}
