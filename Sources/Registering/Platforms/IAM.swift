internal import Conformance

/// AWS IAM: `CreateOpenIDConnectProvider`.
extension RegistrationPlatform {
    package static let iam = RegistrationPlatform(
        name: "aws-iam",
        otherNames: ["iam"],
        title: "AWS IAM, the input of the AWS command line",
        profiles: { _ in ["aws-iam"] },
        comments: .beside,
        responseTypes: { $0.flows },
        objections: IAM.objections,
        draft: { context in
            Draft(
                text: JSONText.write(
                    .members([
                        "Url": .text(context.target.issuer),
                        "ClientIDList": .texts([context.flow.clientID]),
                    ])
                ),
                commands: { ["aws iam create-open-id-connect-provider --cli-input-json file://" + $0] },
                notes: Note.parameters(context.target)
            )
        }
    )

    package static let iamTerraform = RegistrationPlatform(
        name: "aws-iam-terraform",
        otherNames: ["iam-terraform"],
        title: "AWS IAM, Terraform",
        profiles: { _ in ["aws-iam"] },
        comments: .lines("#"),
        responseTypes: { $0.flows },
        objections: IAM.objections,
        draft: { context in
            Draft(
                text: TerraformText(
                    "aws_iam_openid_connect_provider",
                    label: context.name,
                    ["url": .text(context.target.issuer), "client_id_list": .texts([context.flow.clientID])]
                )
                .text(),
                commands: { _ in Terraform.applyWithoutSecret },
                notes: [IAM.thumbprints] + Note.parameters(context.target)
            )
        }
    )
}

enum IAM {
    static let thumbprints =
        "IAM finds the certificate's thumbprint itself; older versions of the AWS provider require thumbprint_list."

    static func objections(_ target: Target) -> [String] {
        let length = target.issuer.utf8.count > 255 ? ["AWS IAM accepts an issuer of at most 255 characters"] : []
        return ConfigurationRequirement.issuer(target, "AWS IAM", ports: []) + length
    }
}
