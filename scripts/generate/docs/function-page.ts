import type { FunctionDefinition } from "../../../src/core/definitions/provider-definition";
import type { Type } from "../../../src/core/types";
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

/** Returns a type in HCL, with a line for each attribute of an object. */
function typeText(type: Type, indent = ""): string {
  if ("element" in type) return `${type.kind}(${typeText(type.element, indent)})`;
  if (type.kind === "tuple") {
    return `tuple([${type.elements.map((one) => typeText(one, indent)).join(", ")}])`;
  }
  if (type.kind !== "object") return type.kind;
  const inner = `${indent}  `;
  const members = Object.entries(type.attributes).map(
    ([name, member]) => `${inner}${name} = ${typeText(member.type, inner)}\n`,
  );
  return `object({\n${members.join("")}${indent}})`;
}
