import { Linter, type Rule } from "eslint";
import { parser } from "typescript-eslint";

let rule: Rule.RuleModule;
beforeAll(async () => {
  ({ oneWorld: rule } = await import("../../scripts/lint/one-world.mjs"));
});

function problems(code: string): readonly string[] {
  const messages = new Linter().verify(code, [
    {
      languageOptions: { parser: parser },
      plugins: { local: { rules: { "one-world": rule } } },
      rules: { "local/one-world": "error" },
    },
  ]);
  return messages.map(({ message }) => message.replace(/ is outside of .*/, ""));
}

test.each([
  ["const now = Date.now();", "Date.now"],
  ["const now = new Date();", "new Date()"],
  ["const now = performance.now();", "performance"],
  ["setTimeout(done, 10);", "setTimeout"],
  ['import { setTimeout as sleep } from "node:timers/promises";', "node:timers/promises"],
  ["const signal = AbortSignal.timeout(10);", "AbortSignal.timeout"],
  ["const some = Math.random();", "Math.random"],
  ['import { createHash, randomUUID } from "node:crypto";', "randomUUID"],
  ['import { constants, openSync } from "node:fs";', "openSync"],
  ['import { rm } from "node:fs/promises";', "rm"],
  ["const id = crypto.randomUUID();", "crypto"],
])("%s is not of the handed-in world", (code, found) => {
  expect(problems(code)).toEqual([found]);
});

test.each([
  "const start = new Date(text);",
  "const now = world.clock.now();",
  'import { createHash } from "node:crypto";',
  'import { constants, type Stats } from "node:fs";',
  'import type { randomUUID } from "node:crypto";',
  "const wait = (setTimeout) => setTimeout(done, 10);",
])("%s is", (code) => {
  expect(problems(code)).toEqual([]);
});
