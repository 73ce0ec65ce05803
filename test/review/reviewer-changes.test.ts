import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ObjectValue } from "../../src/core/values";
import { PLAIN } from "../../src/formats/text/style";
import { renderReviewedPlan } from "../../src/review/text/reviewed-plan";
import { policyChange } from "./entries/changes";
import { stackPlan } from "./plans";
import { protecting } from "./protection/sets";

/*
 * The changes that reviewers meet most, with their texts in one file that a person reads from top to
 * bottom. UPDATE_FIXTURES=1 writes it again: read it before you commit it.
 */

const FIXTURE = join(__dirname, "fixtures/reviewer-changes.txt");

const root = protecting("No root in production", { namespaces: ["prod-*"] }, "599", "41");
const images = protecting("Trusted images", { images: ["registry.example.com/*"] }, "51");
const rest = protecting("Everything else", {}, "~41", "~51");
const SET = [root, images, rest];

const exempt = protecting("Payments exempted", { namespaces: ["prod-pay"] }, "41");
const narrowed = protecting("No root in production", { namespaces: ["prod-eu-*"] }, "599", "41");
const alerting = protecting("No root in production", { namespaces: ["prod-*"] }, "~599", "41");
const fewer = protecting("No root in production", { namespaces: ["prod-*"] }, "41");
const shadow = protecting("All namespaces", { namespaces: ["*"] }, "41");
const eu = protecting("No root in Europe", { namespaces: ["prod-eu-*"] }, "599", "41");
const us = protecting("No root in America", { namespaces: ["prod-us-*"] }, "599", "41");

const CHANGES: readonly (readonly [title: string, after: readonly ObjectValue[]])[] = [
  ["An exemption in front", [exempt, ...SET]],
  ["The order is changed", [images, root, rest]],
  ["A policy is disabled", [{ ...root, disabled: true }, images, rest]],
  ["A policy is narrowed", [narrowed, images, rest]],
  ["A check alerts instead of blocking", [alerting, images, rest]],
  ["A check is removed", [fewer, images, rest]],
  ["A policy is shadowed", [shadow, ...SET]],
  ["A policy is replaced by two", [eu, us, images, rest]],
];

test("the texts of the changes that reviewers meet most are those of the fixture", () => {
  const texts = CHANGES.map(([title, after]) => {
    const change = policyChange(SET, after, {
      address: "cwp_compliance_policy_set.policies",
      type: "cwp_compliance_policy_set",
      name: "policies",
    });
    const text = renderReviewedPlan(stackPlan([change]), { style: PLAIN, width: 80 });
    return `${"=".repeat(78)}\n${title}\n${"=".repeat(78)}\n${text}`;
  });
  if (process.env.UPDATE_FIXTURES) writeFileSync(FIXTURE, texts.join("\n"));
  expect(texts.join("\n")).toBe(readFileSync(FIXTURE, "utf8"));
});
