import { consoleProvider } from "../../../src/provider/cwp-provider";
import { exampleSection, readExample } from "./example";
import { renderPage } from "./page";
import { schemaSection } from "./schema-section";

export function providerPage(): string {
  return renderPage({
    title: consoleProvider.name,
    kind: "Provider",
    subcategory: "",
    description: consoleProvider.description,
    sections: [
      INTRODUCTION,
      exampleSection(readExample("provider/provider")),
      AUTHENTICATION,
      schemaSection(consoleProvider.configuration),
    ],
  });
}

const INTRODUCTION = `Terraform 1.11 or newer is needed, and Node 20.18.1 or newer where it runs: the provider is part of the npm package \`cdktf-console\`. No registry has it; \`npx cdktf-console provider install\` puts it where \`terraform init\` finds it.

- [Engines](guides/engines.md): what differs between Terraform and the embedded executor, and how to mix them.
- [cdktf's own tools](guides/cdktf.md): \`cdktf deploy\`, and bindings for other languages by \`cdktf get\`.
- [The guide](guide.md) of the npm package: secrets, ownership of policies, state.`;

const AUTHENTICATION = `## Authentication

What the block leaves out comes from the environment. An explicit \`auth\` wins; else a \`token\`, which is never renewed, then a client certificate, then \`username\` and \`password\`. Where the block names credentials of one kind, the environment gives none of another. Nothing is sent before something is read or written: a fresh console has no user yet. TLS is verified unless \`insecure_skip_verify\` says otherwise.`;
