import { exactNumber } from "../../../src/core/values";
import {
  formatFile,
  isSavedPlan,
  isTerraformPlan,
  parseFile,
} from "../../../src/runtime/saved-plan/file";

const CONTENT = { stack: "prod", text: "ü\n" };
const whole = formatFile([CONTENT], "1.2.3").toString("utf8");

function read(text: string) {
  const { parts, diagnostics } = parseFile(Buffer.from(text), "p");
  return {
    content: parts?.[0],
    problems: diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`),
  };
}

test("reads what was written", () => {
  expect(read(whole)).toEqual({ content: CONTENT, problems: [] });
  expect(isSavedPlan(Buffer.from(whole))).toBe(true);
  expect(isSavedPlan(Buffer.from('{"version": 4}'))).toBe(false);
});

test("recognizes Terraform's plans by their first bytes", () => {
  expect(isTerraformPlan(Buffer.from("PK\u0003\u0004tfplan"))).toBe(true);
  expect(isTerraformPlan(Buffer.from(whole))).toBe(false);
});

test.each([
  ["truncated", whole.slice(0, -5), "The file is truncated: 5 of 31 bytes are missing."],
  ["cut behind its first line", whole.slice(0, whole.indexOf("\n") + 1), "31 of 31 bytes"],
  ["cut in its first line", whole.slice(0, 60), "its first line is incomplete"],
  ["altered", whole.replace("prod", "test"), "its checksum does not match"],
  ["continued", `${whole}{}`, "its checksum does not match"],
  ["of a newer program", whole.replace('"version":6', '"version":7'), "version 7 of the format"],
  ["of an older program", whole.replace('"version":6', '"version":5'), "version 5 of the format"],
  [
    "altered in its first line",
    whole.replace('"bytes":31', '"bytes":"31"'),
    "first line is incomplete",
  ],
  ["empty", "", "is not a plan that this program saved"],
  ["another one", '{"version": 4}', "is not a plan that this program saved"],
  ["Terraform's", "PK\u0003\u0004", "show and apply it with terraform"],
])("a file that is %s is refused with the reason", (_, text, reason) => {
  const { content, problems } = read(text);
  expect(content).toBeUndefined();
  expect(problems).toEqual([expect.stringMatching(/^Failed to load "p" as a plan file: /)]);
  expect(problems[0]).toContain(reason);
});

test("reads parts that are written on their own lines", () => {
  const parts = [CONTENT, { text: "\n" }, null, []];
  const { parts: read } = parseFile(formatFile(parts, "1.2.3"), "p");
  expect(read).toEqual(parts);
});

test("reads no part that is nested deeply", () => {
  let deep: unknown = {};
  for (let level = 0; level < 1000; level++) deep = { deep };
  expect(parseFile(formatFile([deep, CONTENT], "1.2.3"), "p").parts).toEqual([undefined, CONTENT]);
});

test.each(["1e400", "9007199254740993", "0.30000000000000000001", "-0"])(
  "keeps all digits of %s",
  (digits) => {
    const { parts = [] } = parseFile(formatFile([{ n: exactNumber(digits) }], "1.2.3"), "p");
    expect(parts).toEqual([{ n: exactNumber(digits) }]);
  },
);
