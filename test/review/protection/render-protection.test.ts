import { PLAIN } from "../../../src/formats/text/style";
import { renderProtection } from "../../../src/review/protection/render-protection";
import { reviewProtection } from "../../../src/review/protection/review-protection";
import type { ObjectValue } from "../../../src/core/values";
import { policyChange } from "../entries/changes";
import { protecting } from "./sets";

const rest = protecting("rest", {}, "~41");
const root = protecting("root", { namespaces: ["prod-*"] }, "599");

function lines(before: readonly ObjectValue[], after: readonly ObjectValue[]): readonly string[] {
  const [review] = reviewProtection({ changes: [policyChange(before, after)] }).values();
  return renderProtection(review, { style: PLAIN, width: 100 }).map((line) =>
    String(line).slice(2),
  );
}

test("groups regions by their effect, and names all policies that no longer decide", () => {
  const images = protecting("images", { images: ["trusted/*"] }, "51");
  expect(lines([root, images, rest], [rest, root, images])).toEqual([
    "Protection: 2 weaker, 2 stronger",
    "  - check 599 blocks -> not checked",
    '      namespaces prod-*  "root" decided, now "rest"',
    "        for example namespace prod-x",
    "  - check 51 blocks -> not checked",
    '      images trusted/*, except namespaces prod-*  "images" decided, now "rest"',
    "        for example image trusted/x",
    "  + check 41 not checked -> alerts",
    '      namespaces prod-*                           "root" decided, now "rest"',
    "        for example namespace prod-x",
    '      images trusted/*, except namespaces prod-*  "images" decided, now "rest"',
    "        for example image trusted/x",
    '  # ("root", "images" no longer decide for any workload)',
    "  # (digest 6c9de2522ca0, for --allow-weaker NAME@DIGEST)",
  ]);
});

test("lists the policies that decide in place of others where protection does not change", () => {
  const eu = protecting("root-eu", { namespaces: ["prod-eu-*"] }, "599");
  const others = protecting("root-others", { namespaces: ["PROD-*"] }, "599");
  expect(lines([root, rest], [eu, others, rest])).toEqual([
    "Protection does not change",
    "  = every workload has the same checks as before; names of policies and letter case in patterns",
    "    have no effect",
    '      namespaces prod-eu-*                            "root" decided, now "root-eu"',
    "        for example namespace prod-eu-x",
    '      namespaces prod-*, except namespaces prod-eu-*  "root" decided, now "root-others"',
    "        for example namespace prod-x",
  ]);
});
