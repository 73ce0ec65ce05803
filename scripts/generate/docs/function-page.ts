import type { FunctionDefinition } from "../../../src/core/definitions/provider-definition";
import type { TerraformType } from "../../../src/core/schema/terraform";
import { codeBlock, exampleSection, readExample } from "./example";
import { renderPage } from "./page";

export function functionPage(definition: FunctionDefinition): string {
  const { name, summary, description, parameters, returns } = definition;
  const signature = parameters.map((one) => `${one.name} ${typeText(one.type)}`).join(", ");
  return renderPage({
    title: name,
    kind: "Function",
    subcategory: "",
    description: `${summary}.`,
    sections: [
      description,
      exampleSection(readExample(`functions/${name}/function`)),
      "## Signature",
      codeBlock("text", `provider::cwp::${name}(${signature}) ${typeText(returns)}`),
      "## Arguments",
      parameters
        .map(
          (one, index) =>
            `${index + 1}. \`${one.name}\` (${typeText(one.type)}) ${one.description}`,
        )
        .join("\n"),
      "The function needs no console and no configuration. It is called when its arguments are known.",
    ],
  });
}

/** Returns a type constraint in HCL. */
function typeText(type: TerraformType, indent = ""): string {
  if (typeof type === "string") return type === "dynamic" ? "any" : type;
  switch (type[0]) {
    case "list":
    case "set":
    case "map":
      return `${type[0]}(${typeText(type[1], indent)})`;
    case "tuple":
      return `tuple([${type[1].map((one) => typeText(one, indent)).join(", ")}])`;
    case "object": {
      const inner = `${indent}  `;
      const members = Object.entries(type[1]).map(
        ([name, member]) => `${inner}${name} = ${typeText(member, inner)}\n`,
      );
      return `object({\n${members.join("")}${indent}})`;
    }
  }
}
