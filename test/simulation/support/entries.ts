import type { Dice } from "./dice";

/** The collections of a tenant, with the names that only its stacks use, and those of others. */
export const KINDS = ["policies", "registry", "serverlessAutoDeploy"] as const;
export type Kind = (typeof KINDS)[number];

export type Document = Readonly<Record<string, unknown>>;

export function entriesOf(kind: Kind, dice: Dice): readonly Document[] {
  const names = dice.some(["P1", "P2", "P3", "P4"], 0.5);
  const chosen = names.length === 0 ? ["P1"] : dice.chance(0.3) ? names.reverse() : names;
  return chosen.map((name) => entryOf(kind, name, dice));
}

/** An entry in the form of a stack. */
export function entryOf(kind: Kind, name: string, dice: Dice): Document {
  switch (kind) {
    case "policies":
      return { name, checks: { "41": dice.chance(0.5) }, disabled: dice.chance(0.2) };
    case "registry":
      return {
        registry: "registry.example.com",
        repository: name,
        tag: "*",
        cap: 1 + dice.below(3),
      };
    case "serverlessAutoDeploy":
      return { name, credential_id: dice.pick(["aws-1", "aws-2"]) };
  }
}

/** The entry as the API has it. */
export function toItem(kind: Kind, entry: Document): Document {
  if (kind === "policies") {
    const { checks, ...rest } = entry;
    const block = Object.entries(checks as object).map(([id, blocks]) => ({
      id: Number(id),
      block: Boolean(blocks),
    }));
    const all = ["*"];
    const resources = {
      hosts: all,
      images: all,
      labels: all,
      containers: all,
      namespaces: all,
      accountIDs: all,
    };
    return { ...rest, resources, condition: { vulnerabilities: block } };
  }
  const { credential_id, ...rest } = entry;
  return credential_id === undefined ? rest : { ...rest, credentialID: credential_id };
}

export function nameOf(kind: Kind, item: Document): string {
  return String(kind === "registry" ? item.repository : item.name);
}

export const isForeign = (kind: Kind, item: Document) => /^X\d/.test(nameOf(kind, item));
export const isOwn = (kind: Kind, item: Document) => /^P\d/.test(nameOf(kind, item));

/** Without what the console sets itself. */
export function outgoing(item: Document): Document {
  const own = Object.entries(item).filter(([name]) => name !== "modified" && name !== "owner");
  return Object.fromEntries(own);
}

/** The members that an entry was given. The console adds others. */
export function identity({
  name,
  repository,
  cap,
  credentialID,
  disabled,
  condition,
}: Document): string {
  const credential = credentialID === "" ? undefined : credentialID;
  return JSON.stringify({ name, repository, cap, credential, disabled, condition });
}
