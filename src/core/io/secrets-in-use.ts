import { ofWorld } from "./world";
import { redact, spellings, unescaped, wouldReveal } from "../redact";

/*
 * The secrets that this process uses: credentials of consoles and of servers of states, and what the
 * configurations of its runs mark as sensitive or ephemeral. Servers and programs may repeat them.
 */

/** A form of a secret, by its first characters. Thousands of tenants have thousands of secrets. */
interface InUse {
  readonly secrets: Set<string>;
  readonly byStart: Map<string, { readonly spelling: string; readonly secret: string }[]>;
}

const START_CHARACTERS = 4;

const inUse = ofWorld((): InUse => ({ secrets: new Set(), byStart: new Map() }));

/** Adds secrets, for all texts that are hidden later. */
export function useSecrets(texts: Iterable<string>): void {
  const { secrets, byStart } = inUse();
  for (const secret of texts) {
    if (secret === "" || secrets.has(secret)) continue;
    secrets.add(secret);
    for (const spelling of new Set(spellings(secret))) {
      const start = spelling.slice(0, START_CHARACTERS);
      byStart.set(start, [...(byStart.get(start) ?? []), { spelling, secret }]);
    }
  }
}

/** Forgets the secrets of an earlier command of this process. */
export function forgetSecrets(): void {
  inUse().secrets.clear();
  inUse().byStart.clear();
}

/** Returns the secrets in use that a text repeats, in any of their forms. */
export function secretsRepeatedIn(text: string): readonly string[] {
  const { secrets, byStart } = inUse();
  const found = new Set<string>();
  if (secrets.size === 0) return [];
  for (const form of new Set([text, unescaped(text).decoded])) {
    for (let at = 0; at < form.length; at++) {
      for (let length = 1; length <= START_CHARACTERS; length++) {
        for (const { spelling, secret } of byStart.get(form.slice(at, at + length)) ?? []) {
          if (form.startsWith(spelling, at)) found.add(secret);
        }
      }
    }
  }
  return [...found];
}

/**
 * Removes secrets from a text of a server or a program. A text that would reveal a short one by what
 * is missing is removed as a whole.
 *
 * @param more Secrets of this text only.
 */
export function hideSecrets(text: string, more: readonly string[] = []): string {
  const secrets = [...more, ...secretsRepeatedIn(text)];
  if (secrets.length === 0) return text;
  return wouldReveal(text, secrets) ? "[redacted]" : redact(text, secrets);
}
