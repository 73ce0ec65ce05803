import { cwpProvider } from "../../../src/provider/cwp-provider";
import { exampleSection, readExample } from "./example";
import { renderPage } from "./page";
import { schemaSection } from "./schema-section";

export function providerPage(): string {
  return renderPage({
    title: cwpProvider.name,
    kind: "Provider",
    subcategory: "",
    description: cwpProvider.description,
    sections: [
      INTRODUCTION,
      exampleSection(readExample("provider/provider")),
      AUTHENTICATION,
      schemaSection(cwpProvider.configuration),
    ],
  });
}

const INTRODUCTION = `The provider requires Terraform 1.11 or newer and Node 20.18.1 or newer. It is part of the npm package \`cdktf-console\` and is in no registry: run \`npx cdktf-console provider install\` to install it for \`terraform init\`.

- [Use it from HCL](guides/hcl.md): installation for Terraform and OpenTofu, order, tokens, tests, imports.
- [Order compliance policies](guides/policies.md): ownership of policies, and what a destroy restores.
- [Engines](guides/engines.md): Terraform, OpenTofu and the embedded executor.
- [All pages](README.md), by what you want to do.`;

const AUTHENTICATION = `## Authentication

Arguments that are not set come from the environment. \`auth\` selects the method; without it the provider uses a \`token\`, which is never renewed, then a client certificate, then \`username\` and \`password\`. If the block has credentials of one kind, credentials of other kinds in the environment are ignored. The provider does not authenticate before the first read or write, because a fresh console has no user. TLS is verified unless \`insecure_skip_verify\` is set.`;
