import type { Draft, Operand, Type } from "../draft";
import type { Draw } from "../draw";
import { expression, template } from "../expressions";
import { lifecycle } from "./lifecycle";
import type { Part } from "./part";
import { repetition, type Repetition } from "./repetition";
import { dependsOn, scoped } from "./values";

/**
 * A terraform_data: values of any type, unknown and sensitive ones. Each engine gives it a random ID,
 * so that nothing may depend on that.
 */
export const terraformData: Part = (draft, name, draw) => {
  const address = `terraform_data.${name}`;
  const { block, kind, scope } = repetition(draft, draw);
  const input = draw.chance(0.8) ? valueOf(draft, draw, "input", scope) : undefined;
  const triggers = draw.chance(0.4) ? valueOf(draft, draw, "triggers_replace", scope) : undefined;
  draft.add("resource", ["terraform_data", name], {
    ...block,
    ...(input && { input: input.json }),
    ...(triggers && { triggers_replace: triggers.json }),
    ...dependsOn(draft, draw, 0.15),
    lifecycle: lifecycle(draft, draw, scope, ["input", "triggers_replace", "input.a"]),
  });
  draft.features.add("terraform_data");
  draft.resources.push(address);
  if (kind === "none") draft.singles.set(address, `${address}.output`);
  draft.offer(...offered(address, kind, input?.sensitive === true));
};

interface JsonValue extends Pick<Operand, "sensitive"> {
  readonly json: unknown;
}

/** A value of any type, as one expression or as JSON with expressions in it. */
function valueOf(draft: Draft, draw: Draw, feature: string, scope: readonly Operand[]): JsonValue {
  const one = (type: Type) => {
    const value = expression(draft, draw, type, { scope });
    draft.features.add(
      `${feature}${value.known ? "" : " unknown"}${value.sensitive ? " sensitive" : ""}`,
    );
    return value;
  };
  if (draw.chance(0.3)) {
    const [a, b] = [one("string"), one("any")];
    const sensitive = a.sensitive || b.sensitive;
    const members = { a: template(a), list: [template(b), 1.5, null, { c: true }] };
    return { json: draft.with(`${feature} of members`, members), sensitive };
  }
  const type = draw.of<Type>(["string", "number", "bool", "strings", "map", "any", "any"]);
  const value = one(type);
  return { json: template(value), sensitive: value.sensitive };
}

function offered(
  address: string,
  kind: Repetition["kind"],
  sensitive: boolean,
): readonly Operand[] {
  const text = (value: string) => scoped(`jsonencode(${value})`, "string", false, sensitive);
  switch (kind) {
    case "none":
      return [
        scoped(`${address}.output`, "any", false, sensitive),
        scoped(`${address}.input`, "any", false, sensitive),
        scoped(`try(tostring(${address}.output.a), "none")`, "string", false, sensitive),
        text(`${address}.output`),
      ];
    case "count":
      return [
        scoped(`${address}[*].output`, "any", false, sensitive),
        scoped(`length(${address})`, "number"),
        text(`try(${address}[1].output, "none")`),
      ];
    case "for_each":
      return [
        scoped(`keys(${address})`, "strings"),
        scoped(`{for key, one in ${address} : key => one.output}`, "any", false, sensitive),
        text(`values(${address})[*].input`),
      ];
  }
}
