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

const INTRODUCTION = `The provider requires Terraform 1.11 or newer and Node 20.18.1 or newer, or [executables of a release](executables.md). It is part of the npm package \`cdktf-console\` and in no registry: \`npx cdktf-console provider install\` installs it for \`terraform init\`. [All pages](README.md)`;

const AUTHENTICATION = `## Authentication

If the block has credentials of one kind, credentials of other kinds in the environment are ignored. The provider does not authenticate before the first read or write, because a fresh console has no user.`;
