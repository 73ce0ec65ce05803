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
const scoped = (...namespaces: string[]) =>
  changed({ resources: { ...(root.resources as ObjectValue), namespaces } });

type Case = readonly [name: string, after: readonly ObjectValue[] | undefined];

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
];
