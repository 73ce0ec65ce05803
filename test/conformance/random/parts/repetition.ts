import type { Draft, Operand } from "../draft";
import type { Draw } from "../draw";
import { expression, template } from "../expressions";
import { scoped } from "./values";

/** The repetition of a resource, with the values that its block has in addition. */
export interface Repetition {
  readonly block: object;
  readonly kind: "none" | "count" | "for_each";
  readonly scope: readonly Operand[];
}

const ONCE: Repetition = { block: {}, kind: "none", scope: [] };
const EACH = [scoped("each.key", "string")];
const INDEX = [scoped("count.index", "number")];

export function repetition(draft: Draft, draw: Draw): Repetition {
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
      const keys = draw.some(["a", "b/c", 'd"e', "é", "🙂"]);
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
        ? counted(draft.with("count unknown", `\${min(length(${text}), 3)}`))
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
