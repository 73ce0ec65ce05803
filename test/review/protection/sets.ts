import type { ObjectValue } from "../../../src/core/values";
import { policy } from "../entries/changes";

/** A policy for namespaces or images with blocking checks, and alerting ones behind `~`. */
export function protecting(
  name: string,
  resources: Readonly<Record<string, readonly string[]>>,
  ...checks: readonly string[]
): ObjectValue {
  return policy(name, {
    resources,
    checks: Object.fromEntries(checks.map((id) => [id.replace("~", ""), !id.startsWith("~")])),
  });
}

const root = protecting("root", { namespaces: ["prod-*"] }, "599", "41");
const img = protecting("img", { images: ["trusted/*", "x/*"] }, "41", "51");
const off = { ...protecting("off", {}, "41"), disabled: true };
const rest = protecting("rest", {}, "~41", "~51");

/** The set of issue 15. */
export const SET = [root, img, off, rest] as const;

const changed = (given: ObjectValue) => [{ ...root, ...given }, img, off, rest];
const inFront = (first: ObjectValue) => [first, ...SET];
const within = (fields: ObjectValue) => ({
  resources: { ...(root.resources as ObjectValue), ...fields },
});
const scoped = (...namespaces: string[]) => changed(within({ namespaces }));

type Case = readonly [name: string, after: readonly ObjectValue[] | undefined];

const imaged = (given: ObjectValue) => [root, { ...img, ...given }, off, rest];
const lastly = (last: ObjectValue) => [root, img, off, last];

/** Each weakens; undefined: the set is destroyed. */
export const WEAKENING: readonly Case[] = [
  ["root disabled", changed({ disabled: true })],
  ["root removed", [img, off, rest]],
  ["root without 41", changed({ checks: { "599": true } })],
  ["root with 599 alerting", changed({ checks: { "599": false, "41": true } })],
  ["root for prod-a* only", scoped("prod-a*")],
  ["img without x/*", [root, protecting("img", { images: ["trusted/*"] }, "41", "51"), off, rest]],
  ["all removed", []],
  ["the set destroyed", undefined],
  ["rest first", [rest, root, img, off]],
  ["root for everything", scoped("*")],
  ["exempt-all without checks in front", inFront(protecting("exempt-all", {}))],
  ["img before root", [img, root, off, rest]],
  [
    "exempt with 599 alerting in front",
    inFront(protecting("exempt", { namespaces: ["prod-*"] }, "~599")),
  ],
  ["same without checks in front", inFront(protecting("same", { namespaces: ["prod-*"] }))],
  [
    "half with 599 alerting in front",
    inFront(protecting("half", { namespaces: ["prod-pay*"] }, "~599")),
  ],
  ["root with an exemption", scoped("prod-*", "-prod-pay*")],
  ["img disabled", imaged({ disabled: true })],
  ["img without 51", imaged({ checks: { "41": true } })],
  ["img alerting", imaged({ checks: { "41": false, "51": false } })],
  [
    "img with an exemption",
    [root, protecting("img", { images: ["trusted/*", "x/*", "-x/old*"] }, "41", "51"), off, rest],
  ],
  ["img behind rest", [root, off, rest, img]],
  ["rest removed", [root, img, off]],
  ["rest without 51", lastly(protecting("rest", {}, "~41"))],
  ["rest for dev-* only", lastly(protecting("rest", { namespaces: ["dev-*"] }, "~41", "~51"))],
  ["off enabled", [root, img, { ...off, disabled: false }, rest]],
  ["root for images x/* in prod-*", changed(within({ images: ["x/*"] }))],
  ["root for hosts of prod", changed(within({ hosts: ["prod-*"] }))],
  [
    "root replaced by two with a gap",
    [
      protecting("root-a", { namespaces: ["prod-a*"] }, "599", "41"),
      protecting("root-b", { namespaces: ["prod-b*"] }, "599", "41"),
      ...[img, off, rest],
    ],
  ],
  ["old images exempted in front", inFront(protecting("old", { images: ["x/old"] }))],
  ["legacy labels exempted in front", inFront(protecting("legacy", { labels: ["old*"] }, "~599"))],
];

/** None changes protection. */
export const NEUTRAL: readonly Case[] = [
  ["root renamed", changed({ name: "no-root" })],
  ["root written PROD-*", scoped("PROD-*")],
  [
    "root split in root-a and root-b",
    [
      { ...root, name: "root-a" },
      protecting("root-b", { namespaces: ["prod-a*"] }, "599", "41"),
      img,
      off,
      rest,
    ],
  ],
  ["off removed", [root, img, rest]],
  ["off enabled behind rest", [root, img, rest, { ...off, disabled: false }]],
  ["root with a namespace that it has", scoped("prod-*", "prod-a*")],
  ["late behind rest", [...SET, protecting("late", {}, "41")]],
];

/** Each protects more, and nothing less. */
export const STRENGTHENING: readonly Case[] = [
  ["rest blocking", lastly(protecting("rest", {}, "41", "51"))],
  ["img with 599", imaged({ checks: { "41": true, "51": true, "599": true } })],
  ["root with 51", changed({ checks: { "599": true, "41": true, "51": true } })],
  ["strict in front", inFront(protecting("strict", { namespaces: ["prod-*"] }, "599", "41", "51"))],
];

/** All of them: the table of gates. */
export const CHANGES: readonly Case[] = [...WEAKENING, ...NEUTRAL, ...STRENGTHENING];
