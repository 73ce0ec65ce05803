import type { Draft, Operand, Type } from "../draft";
import type { Draw } from "../draw";
import { expression, template } from "../expressions";
import { lifecycle } from "./lifecycle";
import type { Part } from "./part";
import { repetition, type Repetition } from "./repetition";
import { dependsOn, scoped } from "./values";

/** A null_resource: repetition, triggers, lifecycle, conditions, provisioners. */
export const nullResource: Part = (draft, name, draw) => {
  const address = `null_resource.${name}`;
  const { block, kind, scope } = repetition(draft, draw);
  const triggers = triggersOf(draft, draw, scope);
  const known = { depth: 1, sensitive: false, ephemeral: true, scope } as const;
  draft.add("resource", ["null_resource", name], {
    ...block,
    ...triggers,
    ...dependsOn(draft, draw, 0.15),
    lifecycle: lifecycle(draft, draw, scope, ["triggers", 'triggers["a"]', "triggers.b"]),
    ...(draw.chance(0.1) && {
      provisioner: draft.with("provisioner", [
        {
          "local-exec": {
            command: `echo ${template(expression(draft, draw, "number", { ...known, ephemeral: false }))}`,
          },
        },
      ]),
    }),
  });
  draft.resources.push(address);
  if (kind === "none") draft.singles.set(address, `${address}.id`);
  draft.offer(...offered(address, kind, draw));
};

function triggersOf(draft: Draft, draw: Draw, scope: readonly Operand[]): object {
  if (draw.chance(0.15)) return {};
  if (draw.chance(0.1)) {
    return draft.with("triggers as a whole", {
      triggers: template(expression(draft, draw, "map", { scope })),
    });
  }
  const names = draw.some(["a", "b", "c d"], 1, 3);
  return {
    triggers: Object.fromEntries(
      names.map((name) => {
        const type = draw.of<Type>(["string", "string", "number", "bool"]);
        const value = expression(draft, draw, type, { scope });
        draft.features.add(
          `trigger${value.known ? "" : " unknown"}${value.sensitive ? " sensitive" : ""}`,
        );
        return [name, template(value)];
      }),
    ),
  };
}

function offered(address: string, kind: Repetition["kind"], draw: Draw): readonly Operand[] {
  const triggers = (text: string) =>
    scoped(`try(${text}.triggers.a, "none")`, "string", false, true);
  switch (kind) {
    case "none":
      return [
        scoped(`${address}.id`, "string", false),
        triggers(address),
        scoped(address, "any", false, true),
      ];
    case "count":
      return [
        scoped(`${address}[*].id`, "strings", false),
        scoped(`length(${address})`, "number"),
        scoped(`try(${address}[${draw.below(3)}].id, "none")`, "string", false),
        scoped(address, "any", false, true),
      ];
    case "for_each":
      return [
        scoped(`keys(${address})`, "strings"),
        scoped(`values(${address})[*].id`, "strings", false),
        scoped(`{for key, one in ${address} : key => one.id}`, "map", false),
        triggers(`values(${address})[0]`),
        scoped(address, "any", false, true),
      ];
  }
}
