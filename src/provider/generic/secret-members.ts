import type { JsonItem } from "../../api/catalogue/described-list";
import { isExactNumber } from "../../core/json/lossless-json";
import { isRecord, memberOf } from "../../core/member-of";
import { isSecretName } from "../../core/redact";
import { isNullValue, isObjectValue, type ObjectValue, type Value } from "../../core/values";
import { entriesOf, membersNamedIn } from "../collections/contents";
import { pathText, textsIn, type MemberPath } from "../collections/secret-paths";

/*
 * The secrets among the members of an item: those that the catalogue or `write_only` names, and those
 * that look like one. A member is named by its path: `slack.webhookUrl`.
 */

/**
 * Returns a function that finds the secrets of an item. Members that the entries name are none: a
 * state has them anyway.
 *
 * @param object - a configuration or a state; `list` is its attribute with the entries
 * @param before - the names that `write_only` has had
 */
export function secretsIn(
  object: ObjectValue,
  list: string,
  secrets: readonly string[],
  before: readonly string[],
): (item: JsonItem) => readonly MemberPath[] {
  const entries = entriesOf(object, list);
  const written = [...before, ...membersNamedIn(object, "write_only")];
  const named = new Set([...secrets, ...written]);
  // A killed provider loses the names, but not the version.
  const isAny = !isNullValue(object.write_only_version ?? null) && written.length === 0;
  return (item) =>
    secretPaths(item, (path) => isAny || named.has(pathText(path)), { plain: entries });
}

/** The paths of the members that the catalogue names, or that look like secrets. */
export function likeSecrets(item: JsonItem, secrets: readonly string[] = []) {
  return secretPaths(item, (path) => secrets.includes(pathText(path)));
}

/**
 * Returns the item without them, and the names of what is left out. Objects of a list lose their
 * secret members; a list of texts that has one is left out.
 */
export function strippedOf(item: JsonItem, secrets: readonly string[] = []): Stripped {
  const left = new Set<string>();
  const leave = (path: MemberPath) => void left.add(pathText(path));
  const kept = stripped(item, { path: [], leave, isNamed: (at) => secrets.includes(pathText(at)) });
  return { item: isRecord(kept) ? kept : {}, left: [...left] };
}

interface Stripping {
  readonly path: MemberPath;
  readonly isNamed: (path: MemberPath) => boolean;
  readonly leave?: (path: MemberPath) => void;
}

function stripped(value: unknown, { path, ...stripping }: Stripping): unknown {
  const { isNamed, leave } = stripping;
  if (Array.isArray(value)) {
    return value.map((one: unknown) => stripped(one, { path, ...stripping }));
  }
  if (!isRecord(value) || isExactNumber(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const at = [...path, name];
    const isHeld =
      isRecord(member) || (Array.isArray(member) && member.every(isRecord) && member.length > 0);
    const isLeft = isHeld
      ? isSealed(member) || (isSecretName(name) && textsIn(member).length > 0)
      : isSecret(member, at);
    if (!isNamed(at) && !isLeft) return [[name, stripped(member, { path: at, ...stripping })]];
    leave?.(at);
    return [];
  });
  return Object.fromEntries(members);
}

/** Reports whether a list has secrets that the entries do not show. */
function hidesSecrets(list: unknown, shown: readonly Value[], stripping: Stripping): boolean {
  const known = new Set([...textsIn(stripped(list, stripping)), ...textsIn(shown)]);
  return textsIn(list).some((text) => !known.has(text));
}

interface Stripped {
  readonly item: JsonItem;
  /** Their paths in the form of the catalogue: `slack.webhookUrl`. */
  readonly left: readonly string[];
}

interface At {
  readonly path?: MemberPath;
  /** The values of the entries at this path. */
  readonly plain?: readonly ObjectValue[];
}

function secretPaths(
  item: JsonItem,
  isNamed: (path: MemberPath) => boolean,
  { path: above = [], plain = [] }: At = {},
): readonly MemberPath[] {
  return Object.entries(item).flatMap(([name, value]) => {
    const path = [...above, name];
    const shown = plain.map((one): Value => memberOf(one, name) ?? null);
    const known = shown.filter((one) => !isNullValue(one));
    const inside = known.filter(isObjectValue);
    const isPlain = known.length > 0;
    if (isPlain && !(isRecord(value) && inside.length === known.length)) {
      return Array.isArray(value) && hidesSecrets(value, known, { path, isNamed }) ? [path] : [];
    }
    if (!isPlain && (isNamed(path) || isSecret(value, path))) return [path];
    return isRecord(value) ? secretPaths(value, isNamed, { path, plain: inside }) : [];
  });
}

/** Reports whether a member is a secret by its name or its text. A list has those of its elements. */
function isSecret(value: unknown, path: MemberPath): boolean {
  const name = path.at(-1) ?? "";
  if (isSealed(value)) return true;
  if (isSecretName(name)) {
    return textsIn(value).length > 0;
  }
  if (Array.isArray(value)) {
    return value.some((one: unknown) =>
      isRecord(one)
        ? secretPaths(one, () => false, { path }).length > 0
        : isSecret(one, [...path, ""]),
    );
  }
  return typeof value === "string" && isSecretText(value, path.some(isOfHook));
}

/** Consoles answer a secret as `{"encrypted": "…"}`, and accept it back. */
function isSealed(value: unknown): boolean {
  return isRecord(value) && textsIn(value.encrypted).length > 0;
}

const isOfHook = (name: string) => /hook/i.test(name);

/** A private key, a signed token, or a URL with a password or a token. */
function isSecretText(text: string, ofHook: boolean): boolean {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----|^eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*$/.test(text))
    return true;
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { password, hostname, pathname, searchParams, hash } = new URL(text);
  const segments = pathname.split("/").filter((one) => one !== "");
  return (
    password !== "" ||
    [...searchParams].some(
      ([name, value]) =>
        /^(?:sig|key|code)$|auth/i.test(name) || isSecretName(name) || isRandom(value),
    ) ||
    [...segments, hash.slice(1)].some(
      (one) => isRandom(one) || (/\d/.test(one) && isSecretName(one)),
    ) ||
    // The path of such a URL is what permits to call it.
    ((ofHook || /hook/i.test(hostname)) && segments.length > 1)
  );
}

/** A run of letters and digits that nobody has written by hand, or a UUID. */
function isRandom(text: string): boolean {
  const runs = text.match(/[A-Za-z0-9]{16,}/g) ?? [];
  const isUuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.test(text);
  return isUuid || runs.some((run) => /\d/.test(run) && /[A-Za-z]/.test(run));
}
