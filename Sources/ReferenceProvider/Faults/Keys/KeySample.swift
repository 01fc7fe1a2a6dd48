import JSONTree

/// Keys and certificates that faults add to the key set; none of them ever signs anything.
///
/// They are constants, so that two fetches of a faulty set agree. Made with Python's cryptography.
enum KeySample {
    /// A P-256 key that passes every check, with its own kid.
    static let ec: JSONObject = [
        "kty": "EC", "crv": "P-256", "kid": "sample", "use": "sig", "alg": "ES256",
        "x": "VxJkaWp6gXrKHVgofcoZELQJume7t6ryJuzmYu-vBko",
        "y": "QqMc5zIE97dnhx6ZNTKSSAgq2PxhGDs3YBUOq_7XE34",
    ]

    /// The private value of ``ec``.
    static let ecPrivateValue: JSON = "Gz4CBX4EtHN8FcR4zFyIau2_IhpSHz_XFWc3sS3Dzq4"

    /// Another P-256 key, whose x begins with a zero byte.
    static let otherEC: JSONObject = [
        "kty": "EC", "crv": "P-256", "kid": "sample-2", "use": "sig", "alg": "ES256",
        "x": "AHyumoNI3SR1IndC5aVIAJErpJx61tqnO_T2VKdt8SE",
        "y": "6ne4XC-bmZFdv2KeO7zLIdy_pdCcGElhN_DzsZrrWMA",
    ]

    /// The x of ``otherEC`` without that byte.
    static let shortCoordinate: JSON = "fK6ag0jdJHUid0LlpUgAkSuknHrW2qc79PZUp23xIQ"

    static let okp: JSONObject = [
        "kty": "OKP", "crv": "Ed25519", "kid": "sample-3", "use": "sig", "alg": "EdDSA",
        "x": "YVEo-EXwtaI3hg0-Vl4tm2cPLaRlFhsWf-FvRtTsWFc",
    ]

    /// The x of ``okp`` without its last byte.
    static let shortValue: JSON = "YVEo-EXwtaI3hg0-Vl4tm2cPLaRlFhsWf-FvRtTsWA"

    static let rsa: JSONObject = [
        "kty": "RSA", "kid": "sample-4", "use": "sig", "alg": "RS256", "e": "AQAB", "n": .string(modulus),
    ]

    /// 2048 bits.
    static let modulus = """
        tDCpwxP414QI-z0CSS33bm9YL3PgxXYJB2LpMe7iXWLKIh6Usyn05bGEFkSGqtvEQI2_d_bVINZ-\
        Q01Lz_6nea0rkoC9tW8HqFUqtDjFfFvaKrw3V5OHAsw9QopzfrJFGQQAVyRaSo3mEKrtJVuq_mY1hqljO5LoH22cN-\
        F6wxyirIrMahI2lE87-\
        ZhHRiA3h34ViXMXV8d9h7jyrdz7EMXRTMfWDEyNOy87_XBAucHWWNRhGEnnCfV5JjzkJxYot3nIV2H1AZswxnoilowR69-v-\
        SaEWSj_S_7qD0670-HSelki5c-8Mequ3MLjKh1bF6ZYifRxByqNtL5cPgykgw
        """

    /// ``modulus`` with a leading zero byte.
    static let modulusWithZero = """
        ALQwqcMT-NeECPs9Akkt925vWC9z4MV2CQdi6THu4l1iyiIelLMp9OWxhBZEhqrbxECNv3f21SDWfkNNS8_-\
        p3mtK5KAvbVvB6hVKrQ4xXxb2iq8N1eThwLMPUKKc36yRRkEAFckWkqN5hCq7SVbqv5mNYapYzuS6B9tnDfhesMcoqyKzGoS\
        NpRPO_mYR0YgN4d-FYlzF1fHfYe48q3c-\
        xDF0UzH1gxMjTsvO_1wQLnB1ljUYRhJ5wn1eSY85CcWKLd5yFdh9QGbMMZ6IpaMEevfr_kmhFko_0v-\
        6g9Ou9Ph0npZIuXPvDHqrtzC4yodWxemWIn0cQcqjbS-XD4MpIM
        """

    /// The whole public key in DER, used as the modulus.
    static let modulusInDER = """
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtDCpwxP414QI-z0CSS33bm9YL3PgxXYJB2LpMe7iXWLKIh6Usyn05bGEFkSGqtvEQI\
        2_d_bVINZ-Q01Lz_6nea0rkoC9tW8HqFUqtDjFfFvaKrw3V5OHAsw9QopzfrJFGQQAVyRaSo3mEKrtJVuq_mY1hqljO5LoH22cN-F6wxyirIrM\
        ahI2lE87-ZhHRiA3h34ViXMXV8d9h7jyrdz7EMXRTMfWDEyNOy87_XBAucHWWNRhGEnnCfV5JjzkJxYot3nIV2H1AZswxnoilowR69-v-SaEWS\
        j_S_7qD0670-HSelki5c-8Mequ3MLjKh1bF6ZYifRxByqNtL5cPgykgwIDAQAB
        """

    /// The whole public key in PEM, used as the modulus.
    static let modulusInPEM = """
        LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0KTUlJQklqQU5CZ2txaGtpRzl3MEJBUUVGQUFPQ0FROEFNSUlCQ2dLQ0FRRUF0RENwd3hQNDE0UU\
        krejBDU1MzMwpibTlZTDNQZ3hYWUpCMkxwTWU3aVhXTEtJaDZVc3luMDViR0VGa1NHcXR2RVFJMi9kL2JWSU5aK1EwMUx6LzZuCmVhMHJrb0M5\
        dFc4SHFGVXF0RGpGZkZ2YUtydzNWNU9IQXN3OVFvcHpmckpGR1FRQVZ5UmFTbzNtRUtydEpWdXEKL21ZMWhxbGpPNUxvSDIyY04rRjZ3eHlpck\
        lyTWFoSTJsRTg3K1poSFJpQTNoMzRWaVhNWFY4ZDloN2p5cmR6NwpFTVhSVE1mV0RFeU5PeTg3L1hCQXVjSFdXTlJoR0VubkNmVjVKanprSnhZ\
        b3QzbklWMkgxQVpzd3hub2lsb3dSCjY5K3YrU2FFV1NqL1MvN3FEMDY3MCtIU2Vsa2k1Yys4TWVxdTNNTGpLaDFiRjZaWWlmUnhCeXFOdEw1Y1\
        BneWsKZ3dJREFRQUIKLS0tLS1FTkQgUFVCTElDIEtFWS0tLS0t
        """

    /// 2048 bits with the fingerprint of CVE-2017-15361, from Wycheproof's test vectors.
    static let factorableModulus = """
        AanFpofbj7KjD4Lf-N2hVMKR7yewSyXhhbirIMTGpfYEhZ_lnt5UoK98DnKIgArXGTu3MaW_HhFw16HGaTDUHqPrId7fe4r11CqR\
        w09yBFuW79V8sYIwHdzCaWflUI6auImYbVfoN9_nD5n8N8SY9DwXw7mwZM9wREPXoDPgOoIWl6q_MPsp7n0zs3Z5ZaiQWOOzl1S9\
        OhwAfSiiOwz6efnXEaxuTEtPd7BjSx7NaFka8Dx9U7YqXy2RFj1O9PjyaDGuRh7YXsX3iMUSP_wSyHQg_c_qHRtKUsNSGCT7OZg0\
        hzm2KphtjnayKJvC64vAbROBR4Ubg6Bxg9IQVZ-QYyE
        """

    /// RFC 7517 appendix A.2.
    static let publishedModulus = """
        0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjB\
        ZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8\
        KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_\
        xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw
        """

    /// 1024 bits.
    static let shortModulus = """
        1Iiwu7uhRHVtq8mqa9m-Lb1LUx18iEoH079n1Q3gbdqTK-InHN2h2EVTCX6s81Y5jVtl9hGdwwmhQhOFLyateDX0TQ5amqvQ\
        zXtQWxlOQWtXMIY1kL6ayuW9JYP3HDYYdN1n2-Cr7zeEgS7OcgywBEAVuoQhbJTO4B9j32OZ70c
        """

    /// A certificate of ``ec``, valid until the year 2999.
    static let certificate = """
        MIIBLzCB1qADAgECAhR1IHBJmN6Bokm86HQ9S+XQ3JEagTAKBggqhkjOPQQDAjAXMRUwEwYDVQQDDAxmaXJzdCBzYW1wbGUw\
        IBcNMjAwMTAxMDAwMDAwWhgPMjk5OTAxMDEwMDAwMDBaMBcxFTATBgNVBAMMDGZpcnN0IHNhbXBsZTBZMBMGByqGSM49AgEG\
        CCqGSM49AwEHA0IABFcSZGlqeoF6yh1YKH3KGRC0Cbpnu7eq8ibs5mLvrwZKQqMc5zIE97dnhx6ZNTKSSAgq2PxhGDs3YBUO\
        q/7XE34wCgYIKoZIzj0EAwIDSAAwRQIhAKaezPLymB6buCwdsJdgBtg2XffSs4AUy3fslA0fEUZ9AiBR6UJJezVrZu4+VxWi\
        jd3TDbg49k3neYnhEeYgVB5Fsw==
        """

    /// A certificate of ``ec`` that expired in 2021.
    static let expiredCertificate = """
        MIIBMTCB2KADAgECAhQCAcqXQCMcBWYlz5V8FyxwMiuO8zAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5leHBpcmVkIHNhbXBs\
        ZTAeFw0yMDAxMDEwMDAwMDBaFw0yMTAxMDEwMDAwMDBaMBkxFzAVBgNVBAMMDmV4cGlyZWQgc2FtcGxlMFkwEwYHKoZIzj0C\
        AQYIKoZIzj0DAQcDQgAEVxJkaWp6gXrKHVgofcoZELQJume7t6ryJuzmYu+vBkpCoxznMgT3t2eHHpk1MpJICCrY/GEYOzdg\
        FQ6r/tcTfjAKBggqhkjOPQQDAgNIADBFAiEAr0aOHmlZ8YLf8WFffXO8OuDxjEhGgy9ALK5+adyFguACIHbgoXnl3Q89UTkd\
        PcQtpa8x2Dwg2TappkGSe9LUw9GC
        """

    /// A self-signed certificate of ``otherEC``.
    static let otherCertificate = """
        MIIBMjCB2KADAgECAhRtY6q4DpDmW4LkF/krJkJkmQ6O3TAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1zZWNvbmQgc2FtcGxl\
        MCAXDTIwMDEwMTAwMDAwMFoYDzI5OTkwMTAxMDAwMDAwWjAYMRYwFAYDVQQDDA1zZWNvbmQgc2FtcGxlMFkwEwYHKoZIzj0C\
        AQYIKoZIzj0DAQcDQgAEAHyumoNI3SR1IndC5aVIAJErpJx61tqnO/T2VKdt8SHqd7hcL5uZkV2/Yp47vMsh3L+l0JwYSWE3\
        8POxmutYwDAKBggqhkjOPQQDAgNJADBGAiEA5t5uLHC1GrYs27TRRwiHLp/6Z8HVLSHl0GKsEUtRqVwCIQC+7P95+NUwAm/r\
        5sgPxT6MCPQHHbhEnk1qzL5712lwnQ==
        """
}
