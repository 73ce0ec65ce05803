import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { comment, propComment } from "../../scripts/generate/constructs/doc-comment";
import { constructInterfaces } from "../../scripts/generate/constructs/interfaces";
import {
  computed,
  list,
  number,
  object,
  optional,
  required,
  string,
} from "../../src/core/schema/attribute";
import { z } from "zod";

const ROOT = resolve(__dirname, "../..");

test("the generated files are up to date", () => {
  const cli = resolve(ROOT, "node_modules/tsx/dist/cli.mjs");
  execFileSync(process.execPath, [cli, "scripts/generate.ts", "--check"], { cwd: ROOT });
});

const attributes = {
  id: computed(string(), "The ID."),
  wait_timeout: optional(number(z.int().min(1).max(60)), "In seconds.", { default: 10 }),
  secret_key: required(string(), "Goes with wait_timeout.", { writeOnly: true }),
  on_destroy: optional(string(z.enum(["keep", "clear"])), "What then.", { requiresReplace: true }),
  entries: required(list(object({ sub_name: required(string(), "Its name.") })), "All."),
  seen_at: computed(string(), "When."),
};

test("writes constraints, defaults and facets into comments", () => {
  const texts = Object.values(attributes).map((attribute) =>
    propComment(attribute, attributes)
      .replace(/^ *(\/\*\*|\*\/|\*) ?/gm, "")
      .trim(),
  );
  expect(texts.slice(1, 4)).toEqual([
    "In seconds.\n\nA whole number from 1 to 60.\n\n@default 10",
    "Goes with waitTimeout.\n\nWrite-only: stored in no plan and no state. Accepts a {@link Secret} or a token; a literal\nstring is an error.",
    "What then.\n\nPossible values: `keep`, `clear`. A change replaces the object.",
  ]);
});

test("writes configurable attributes as props, and computed ones as attributes", () => {
  const source = constructInterfaces({
    name: "Thing",
    description: "A thing.",
    attributes,
    kind: "resource",
  });
  const members = [...source.matchAll(/^\s*(?:export )?(interface \w+|readonly .*;)/gm)];
  expect(members.map(([, member]) => member)).toEqual([
    "interface ThingEntry",
    "readonly subName: OrToken<string>;",
    "interface ThingProps",
    "readonly waitTimeout?: OrToken<number> | undefined;",
    "readonly secretKey: OrToken<string | Secret>;",
    'readonly onDestroy?: OrToken<OneOf<"keep" | "clear">> | undefined;',
    "readonly entries: OrToken<readonly OrToken<ThingEntry>[]>;",
    "interface ThingAttributes",
    "readonly seenAt: string;",
  ]);
});

test("wraps comments", () => {
  expect(comment(["One."])).toBe("/** One. */");
  const lines = comment(["word ".repeat(40).trim(), "@default 1"]).split("\n");
  expect(lines.at(-2)).toBe(" * @default 1");
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
});
