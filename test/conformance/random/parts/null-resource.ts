import type { Draft, Operand, Type } from "../draft";
import type { Draw } from "../draw";
import { expression, template } from "../expressions";
import { condition } from "./conditions";
import type { Part } from "./part";
import { dependsOn, scoped } from "./values";

interface Repetition {
  readonly block: object;
  readonly kind: "none" | "count" | "for_each";
  readonly scope: readonly Operand[];
}

const ONCE: Repetition = { block: {}, kind: "none", scope: [] };
const EACH = [scoped("each.key", "string")];
const INDEX = [scoped("count.index", "number")];

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
    lifecycle: lifecycle(draft, draw, address, scope, kind),
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
  draft.offer(...offered(address, kind, draw));
};

function repetition(draft: Draft, draw: Draw): Repetition {
  const wish = { known: true, sensitive: false, depth: 1 } as const;
  switch (
    draw.of(["none", "none", "count", "computed", "keys", "set", "map", "unknown"] as const)
  ) {
    case "none":
      return ONCE;
    case "count":
      return counted(draft.with("count", draw.below(4)));
    case "computed": {
      const value = expression(draft, draw, "strings", { sensitive: false, depth: 1 });
      return counted(draft.with("count computed", `\${min(length([${value.text}]), 3)}`));
    }
    case "keys": {
      const keys = draw.some(["a", "b/c", 'd"e', "é"]);
      const members = keys.map((key) => {
        return [key, template(expression(draft, draw, "string", { depth: 1 }))] as const;
      });
      return each(draft.with("for_each with computed values", Object.fromEntries(members)), false);
    }
    case "set": {
      const text = expression(draft, draw, "strings", wish).text;
      return each(draft.with("for_each of a set", `\${toset(${text})}`), true);
    }
    case "map": {
      return each(
        draft.with("for_each of a map", template(expression(draft, draw, "map", wish))),
        true,
      );
    }
    case "unknown": {
      if (draw.chance(0.5)) return ONCE;
      const key = expression(draft, draw, "string", { known: false, sensitive: false, depth: 1 });
      if (key.known) return ONCE;
      const text = key.text;
      return draw.chance(0.5)
        ? counted(draft.with("count unknown", `\${length(${text})}`))
        : each(draft.with("for_each unknown", `\${toset([${text}])}`), true);
    }
  }
}

function counted(count: unknown): Repetition {
  return { block: { count }, kind: "count", scope: INDEX };
}

function each(forEach: unknown, known: boolean): Repetition {
  const value = scoped("each.value", "string", known, false);
  return { block: { for_each: forEach }, kind: "for_each", scope: [...EACH, value] };
}

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

function lifecycle(
  draft: Draft,
  draw: Draw,
  address: string,
  scope: readonly Operand[],
  kind: Repetition["kind"],
): object {
  const self = scoped("self.id", "string", false);
  const createsFirst = draw.chance(0.2);
  if (createsFirst) {
    draft.createsFirst = true;
    draft.features.add("create_before_destroy");
  }
  const trigger = draw.chance(0.15) ? draw.of([...draft.resources, undefined]) : undefined;
  const key = draft.operands.find(({ text }) => text === `${String(trigger)}.id`);
  return {
    ...(createsFirst && { create_before_destroy: true }),
    ...(draw.chance(0.15) && {
      ignore_changes: draft.with(
        "ignore_changes",
        draw.of([["triggers"], ['triggers["a"]'], "all", ["triggers.b"]]),
      ),
    }),
    ...(draw.chance(0.03) && { prevent_destroy: draft.with("prevent_destroy", true) }),
    ...(trigger !== undefined && {
      replace_triggered_by: draft.with("replace_triggered_by", [
        key && draw.chance(0.5) ? `${trigger}.id` : trigger,
      ]),
    }),
    ...(draw.chance(0.15) && { precondition: condition(draft, draw, "precondition", scope) }),
    ...(draw.chance(0.1) && {
      postcondition: condition(draft, draw, "postcondition", [
        ...scope,
        ...(kind === "none" ? [self] : [self]),
      ]),
    }),
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
