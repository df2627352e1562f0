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
    private static let laterKey = PublicKey.rsa(
        modulus: bytes(
            "jPxdlpBmHaEYlKA_H81Y4Cq4lJzL8AIp0Si4ZX0Y4lA_5iVHoBRnZ42QET0R_92lYgsWNuL7daYN_fqeA4MXYCWEQFBiN1F3FQBIp1ypWFjJHJM9y3RX"
                + "V2XRr-p3tcYs-tHu8k5dXZOZGQa3YnoqjMFI2u_Kswbvg0TFl7R2q1GCFLZoS0wSkBt1ri38qSR8Xxa5Xz2q07HoqbngM7PFFrgx1mzdCYJ-x6Gd-Jgg"
                + "vvl6bCq2yjKv_DkN1HRqeLnX0wRkd3aSUogN4Qn11AlGIBcArzV1f3-AmE3XBeJBGG0uiif908mnf8I-WiuengYM35Y7RPlEVE4RAq2aTCp5JQ"),
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
        Vector(
            description: "RS384", algorithm: .rs384, key: laterKey,
            message: "eyJhbGciOiJSUzM4NCJ9.eyJpc3MiOiJqb2UifQ",
            signature:
                "V6VJv66F-UqhJkzC7wUZFMZBZWt5K1wyPq6d5ftNJnXkhPt9fqxIduXPL9YoQHK80tJd2UjuudKycIIAN2Fozjl2nytavQt9T3Wgw-uylE8zS-UHmsRW"
                + "E7bLK1FqmHeFhmSinGj4BcFBleQTn8tlMBciKN4rHNYPgjW-856yEu4v1QIhrRS8p1uOFZQONbYF0N1WzkohS1aUpDEIcurd8wxI13eFa7k5yu41HsjX"
                + "c2JYoobRJgCkWGyjN-8g6yQNREuAjanSR2mBaPCZllSAozkFYYn8u9zkz7uUC_tbMkFHrKogNO5rmeVlUsAItz0mzeqWSWCVTiKtazM1bm1fMA"),
        Vector(
            description: "RS512", algorithm: .rs512, key: laterKey,
            message: "eyJhbGciOiJSUzUxMiJ9.eyJpc3MiOiJqb2UifQ",
            signature:
                "hAp2eRQrWFpuiCRDqQf-fxR2AsUtPq8bDRvQFcaDszTVc8ffRsbAT28qFmo4IJVX7kkah5cT_jHBigxEmSnlEPSZQMiS1qvDGnpkVZ4k3faMwy4rhMdt"
                + "GOKDBW6BwoGunTtw1Umm0SUggS3Y4IZclKVPpOuhIC2s36L_EMI7R1vEzX2mpD9oKUHZGw0Rj0oq7C-rrrdycAZ6rf39GXp8KAMD75D7V9aa8gQbO0AS"
                + "dB6MkJNhM8_mfwZH24bCWH3K-WBOZbNOM3k8DVCDKlLklIR3QcMe6XCVlQnEF94GXVPNHcTE5z_Eut-Jd7GZRKN2Lhj2xK_cjJk2Z6oEd2Giqw"),
        Vector(
            description: "PS384", algorithm: .ps384, key: laterKey,
            message: "eyJhbGciOiJQUzM4NCJ9.eyJpc3MiOiJqb2UifQ",
            signature:
                "Q_l0cDRgAo0DjLSESuwcB86NktBT2KI5FigzbfRmEu_OIUwgUU6aHr-PdpYjnxfrLASm0uY26hsUvjn03V_kWJOq2aXbm3NDe1bENdG5Gh9DuaN0suZZ"
                + "GTT5d3tq6tsQyrXBft8EEU_sLVANUK5nmRV-Bl3XHhI6j6KDEJbLlPLmUz0FHs32B9guekLsMizsG6-6uNqf6M1huVas7rSMlcEby86bzS_Mjpzm23_k"
                + "Ljxzz6s7VaCzQcEAB9AbL8pyysZ_Oe5K9A-cF7GVlA4HSwgAKkSmd8KKKlXCam5aQct0KQA3MEk_VtmQ0aZ42u00Z3pf9vLcw-TeXCVacZxvEQ"),
        Vector(
            description: "PS512", algorithm: .ps512, key: laterKey,
            message: "eyJhbGciOiJQUzUxMiJ9.eyJpc3MiOiJqb2UifQ",
            signature:
                "IqAOing9PrcRZLbQsU_dVauGCAwwPKMfxO-1Awj0zhF6apGCW0fu-JEAarSFwXhV68C77PSpzeaxYFDnu2SDWCdGdcOvq-RejbETykaDn5_TrhnLjRU2"
                + "k_pC3J7ad9exIdVlU_TZrMzfPxr7f_mJfT5PJSfLVH_qulIpaI73Jj6kP0CKGgJgWMhVQoPEiJ00HYx7RgVLoP_3oJ4EHfr0IOhYsx3cfddhYAX5qFo0"
                + "qmgNKyD_-tlpq9xqSMRih0CfOntN23YtkCScq_DlUNBZpC_JR-HSnzfidG7RqDjFuNfPji65GRhp05Jsb7waad9pFdLudQgJkF_FqUuqoILWtQ"),
        Vector(
            description: "ES384", algorithm: .es384,
            key: .p384(
                x: bytes("9WfjkcXJtnuGGzMqFf2H_UxjBafPb3R0H17XPD5pfKpY78EqgV4jgFour-N3U9bY"),
                y: bytes("M7yZ52y-VAqPm180cpyxt1HmFgnk-eTGt2oIOVCsD9PRjl2JMrvU33JQl0vmLdyQ")),
            message: "eyJhbGciOiJFUzM4NCJ9.eyJpc3MiOiJqb2UifQ",
            signature:
                "CzTAlhQO07rRnGtE21eP50O5SEekk5AewEDQh_xpl8tqwfhBs8pPSWaqNhXkw_Mzqiwme-TLgPHfSbzyY5giYBZHJUm618ByGWg23_msKeA2nQNBKS8-"
                + "KEYQKLfusU1L"),
        Vector(
            description: "ES512", algorithm: .es512,
            key: .p521(
                x: bytes("AF8ZJUhusLhrxy63ZXt2vyN9ZRYG0MB4Mju1JrTnWYW3ITpfMZ8Z7jcjesRKKMasFe6Ruk6rIjonBgfdJvqcALMf"),
                y: bytes("AfSz5FQfHWO402ZacfR7ToFLDfXaOmEWqhep7o8nBu4Uya5diIMIF3QT5JaxMKcGBV4-txiczk-N2AP9CbOMMvNc")),
            message: "eyJhbGciOiJFUzUxMiJ9.eyJpc3MiOiJqb2UifQ",
            signature:
                "AFMfLXAJaRxc1UeKurX2yCEzNJpgU2CddtTZqTpzDKSqWbXhpb-ttWi1fBr8SrBWd2nIrLOSf_B3-e6K7kfQOzsRAdE4BXo4dk1bMXKAmbc_xRdo6Ea6"
                + "_hUAmkLNZ-e0FrPxS9hRYY_deQjb6Xxq5dRTz3UGJ3JMG59-qLw3-_vJZLoq"),
        Vector(
            description: "PS384 with a salt of 32 bytes", algorithm: .ps384, key: laterKey,
            message: "eyJhbGciOiJQUzM4NCJ9.eyJpc3MiOiJqb2UifQ",
            signature:
                "GkN7ek--3ycmpKvIRK5Ew9v_8zbNGkvsNspjCq8dAu0sVRo9cU3WunCjU7xJSmXyghYUV62UVbteOIk4TIsOFI4cMl3_xvup6jB3ZC3Lss60AZqfib3h"
                + "Ws3HV3J_tZviu6dxDkr41DdJ1vLjCCWc-GxHYGdailslbvcQYhzwXL3D3tzxl-vSm_Pk_NgLqyNMb2fT_lIumhP-LztqMg8cY00Fy7BV5_lKHEYQTe26"
                + "IMWprTxM1TDKPTS_yos-fM2t0KRTvumhVCBX7NypjCPIw6WvETpuFhzcM-_aAMnqIJciAnAMJinq_40zEY0YiFBOZ0Ca91HLdVZ-7AOhQrp3wQ",
            isValid: false),
        Vector(
            description: "PS384 with MGF1 over SHA-256", algorithm: .ps384, key: laterKey,
            message: "eyJhbGciOiJQUzM4NCJ9.eyJpc3MiOiJqb2UifQ",
            signature:
                "TTjIKzMvDIyTEAvULKVW33pPBaI0hJVO3NnBCH88IntArkgYX5YxZO4Yxu-GpCG_xdy2VbFTy276g85BUCYBN8MK9QguWnH_ZHZriz2K_0n5DdC-8qYr"
                + "gz7rj1UA8reioX_u5Fys3uVeZeu3cXU9VRTqpXlohv61okSjQdrDIgNwAiOfcX0lPVF2bvJa8Pd0Gj4DsOw3ZrkxI3vrRY6BpKbhTfwvS-B_jitaK7nd"
                + "z2Xrbg6gAdpiRE5Ug-oehJDaH1MqtXWoyDbTBLuFGg5CVywNBxRgIG-sXqreBRih4uFyzZ2jU9oOVR8RdR-LgLKAYggGuam35AOWduipASUFMA",
            isValid: false),
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
