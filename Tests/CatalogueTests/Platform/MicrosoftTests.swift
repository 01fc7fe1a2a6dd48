import Catalogue
import Conformance
import JSONTree
import Testing

@Suite("Microsoft's identifiers", .timeLimit(.minutes(5)))
struct MicrosoftIdentifierTests {
    @Test(
        "federated user ID and oid convert to each other",
        arguments: [
            // The example in the documentation, whose letters are not all hexadecimal digits.
            ("4b2eabcdefghijkl", "00000000-0000-0000-4b2e-abcdefghijkl"),
            ("0b2eab0cdef01234", "00000000-0000-0000-0b2e-ab0cdef01234"),
            ("0000000000000001", "00000000-0000-0000-0000-000000000001"),
            ("c1d7e5a0-22b9-4f6d-8e13-0a9b7c6d5e4f", "c1d7e5a0-22b9-4f6d-8e13-0a9b7c6d5e4f"),
        ]
    )
    func bothWays(federated: String, oid: String) throws {
        let fromFederated = try #require(MicrosoftObjectID(federated: federated))
        let fromOID = try #require(MicrosoftObjectID(oid: oid))
        #expect(fromFederated == fromOID)
        #expect(fromFederated.oid == oid)
        #expect(fromOID.federated == federated)
        #expect(fromOID.isPadded == (federated.count == 16))
    }

    @Test("case is ignored, and a short federated ID is padded with zeros")
    func generous() {
        #expect(MicrosoftObjectID(federated: "4B2EAB0CDEF01234") == MicrosoftObjectID(federated: "4b2eab0cdef01234"))
        #expect(MicrosoftObjectID(federated: "b2eab0cdef01234")?.oid == "00000000-0000-0000-0b2e-ab0cdef01234")
        #expect(
            MicrosoftObjectID(oid: "C1D7E5A0-22B9-4F6D-8E13-0A9B7C6D5E4F")?.oid
                == "c1d7e5a0-22b9-4f6d-8e13-0a9b7c6d5e4f"
        )
    }

    @Test(
        "a text that is neither oid nor federated ID is rejected",
        arguments: ["", "4b2eabcdefghijklm", "4b2e-abcdefghijkl", "c1d7e5a0-22b9-4f6d-8e13", "4b2eabcdefghijk ", "ä"]
    )
    func refused(text: String) {
        #expect(MicrosoftObjectID(federated: text) == nil)
        #expect(MicrosoftObjectID(oid: text) == nil)
    }

    @Test("a GUID has hexadecimal digits")
    func guid() {
        #expect(MicrosoftObjectID.isGUID("9188040D-6c67-4c5b-b112-36a304b66dad"))
        #expect(!MicrosoftObjectID.isGUID("00000000-0000-0000-4b2e-abcdefghijkl"))
        #expect(!MicrosoftObjectID.isGUID("9188040d6c674c5bb11236a304b66dad"))
    }
}

@Suite("Microsoft's permissions", .timeLimit(.minutes(5)))
struct MicrosoftPermissionTests {
    @Test(
        "permissions are compared without their resource and case-insensitively",
        arguments: [
            ("openid mail.read", "openid mail.read", true),
            ("openid mail.read", "openid https://graph.microsoft.com/Mail.Read", true),
            ("openid https://graph.microsoft.com/mail.read", "Mail.Read openid", true),
            ("openid mail.read calendars.read", "openid Mail.Read", false), ("openid mail.read", "openid", false),
            ("openid profile email", "openid", true),
        ]
    )
    func granted(asked: String, granted: String, isRight: Bool) {
        var model = RunModel.conformant
        for index in model.modelledRun.indices {
            for place in model.modelledRun[index].sent.indices
            where model.modelledRun[index].sent[place].name == "scope" {
                model.modelledRun[index].sent[place].value = asked
            }
        }
        model.eachTokenReply { $0.json["scope"] = .string(granted) }
        let verdict = MicrosoftAccountChecks.scopesAreGranted.judge(model.facts)
        #expect(verdict.findings.isEmpty == isRight, "\(verdict)")
    }
}

@Suite("Microsoft's issuers", .timeLimit(.minutes(5)))
struct MicrosoftAuthorityTests {
    private static let tenant = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490"
    private static let base = "https://login.microsoftonline.com"

    @Test(
        "the issuers that discovery may state for a tenant",
        arguments: [
            ("common", "{tenantid}", true), ("common", "common", false), ("common", tenant, false),
            ("organizations", "{tenantid}", true), ("organizations", "organizations", false),
            ("consumers", "{tenantid}", true), ("consumers", MicrosoftObjectID.consumerTenant, true),
            ("consumers", tenant, false), (tenant, tenant, true), (tenant, "{tenantid}", false),
            ("contoso.onmicrosoft.com", tenant, true), ("contoso.onmicrosoft.com", "contoso.onmicrosoft.com", false),
        ]
    )
    func discovery(asked: String, stated: String, isAllowed: Bool) throws {
        let authority = try #require(MicrosoftAuthority("\(Self.base)/\(asked)/v2.0"))
        #expect(authority.tenant == asked)
        #expect(authority.allowsInDiscovery("\(Self.base)/\(stated)/v2.0") == isAllowed)
        #expect(!authority.allowsInDiscovery("https://sts.windows.net/\(stated)/"))
        #expect(!authority.allowsInDiscovery("\(Self.base)/\(stated)/v2.0/"))
    }

    @Test(
        "a tenant is a predefined name, a GUID or a domain",
        arguments: [
            ("common", .common), ("Consumers", .consumers), (MicrosoftObjectID.consumerTenant, .consumers),
            (tenant.uppercased(), .tenant(tenant)), ("contoso.onmicrosoft.com", .domain("contoso.onmicrosoft.com")),
            ("contoso", nil), ("our tenant", nil), ("contoso..com", nil), ("", nil),
        ] as [(String, MicrosoftAuthority.Tenancy?)]
    )
    func tenancy(name: String, expected: MicrosoftAuthority.Tenancy?) {
        #expect(MicrosoftAuthority.tenancy(name) == expected)
    }

    @Test(
        "two tenant names differ only if they are known to",
        arguments: [
            ("common", "common", false), ("common", tenant, true), ("contoso.com", "consumers", true),
            ("contoso.com", "contoso.onmicrosoft.com", false), ("contoso.com", tenant, false),
            (tenant, "9f1b7f3a-0000-4000-8000-000000000000", true),
        ]
    )
    func differ(left: String, right: String, expected: Bool) throws {
        let one = try #require(MicrosoftAuthority.tenancy(left))
        let other = try #require(MicrosoftAuthority.tenancy(right))
        #expect(one.differs(from: other) == expected)
        #expect(other.differs(from: one) == expected)
    }

    @Test(
        "an issuer without a path names no tenant",
        arguments: ["https://idp.example.com", "https://idp.example.com/"]
    )
    func none(issuer: String) {
        #expect(MicrosoftAuthority(issuer) == nil)
    }
}
