import { methodNamed, type MethodEvidence } from "./use";
import { nameOf } from "./template";
import type { Word } from "./shell-dialect";

/** What the arguments of a command-line HTTP client say. */
export interface ClientCall {
  readonly urls: readonly Word[];
  readonly method?: MethodEvidence;
}

/** What an option does with its value, or, without one, by being there. */
type Effect = "method" | "body" | "upload" | "get" | "head" | "url" | "value";

interface Options {
  readonly short: ReadonlyMap<string, Effect>;
  readonly long: ReadonlyMap<string, Effect>;
}

const byName = (short: Record<string, Effect>, long: Record<string, Effect>): Options => ({
  short: new Map(Object.entries(short)),
  long: new Map(Object.entries(long)),
});

const effects = (effect: Effect, names: string): Record<string, Effect> =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, effect]),
  );

const CURL = byName(
  {
    ...effects("value", "H o u A b c e m w x K E r C D t U y Y z P Q"),
    ...effects("body", "d F"),
    X: "method",
    T: "upload",
    G: "get",
    I: "head",
  },
  {
    ...effects(
      "value",
      `header output user user-agent cookie cookie-jar referer max-time write-out proxy config cert key cacert capath
      connect-timeout retry retry-delay retry-max-time resolve connect-to range limit-rate dump-header interface
      cert-type key-type pass proxy-user noproxy oauth2-bearer output-dir stderr trace trace-ascii`,
    ),
    ...effects("body", "data data-raw data-binary data-ascii data-urlencode json form form-string"),
    request: "method",
    "upload-file": "upload",
    get: "get",
    head: "head",
    url: "url",
  },
);

const WGET = byName(
  { ...effects("value", "O o a e t T w Q P U") },
  {
    ...effects(
      "value",
      "header output-document output-file user password ca-certificate certificate private-key timeout tries user-agent directory-prefix",
    ),
    ...effects("body", "post-data post-file body-data body-file"),
    method: "method",
  },
);

const HTTPIE = byName(
  effects("value", "a A o p s"),
  effects(
    "value",
    "auth auth-type verify output print session timeout cert cert-key proxy pretty style max-redirects",
  ),
);

/** Of programs that are not known: what many of them take, and nothing that swallows a URL. */
const OTHER = byName(
  { X: "method", H: "value", u: "value", o: "value", d: "body", m: "value", a: "value" },
  {
    request: "method",
    method: "method",
    header: "value",
    data: "body",
    body: "body",
    output: "value",
    user: "value",
    auth: "value",
    url: "url",
  },
);

const KNOWN = new Map([
  ["curl", CURL],
  ["wget", WGET],
]);

/** Reads the words behind the name of the program. */
export function readClientCall(program: string, words: readonly Word[]): ClientCall {
  const isHttpie = /^(?:https?|xhs?)$/.test(program);
  const options = isHttpie ? HTTPIE : (KNOWN.get(program) ?? OTHER);
  const call = new ArgumentReader(options, words);
  call.read();
  const { urls, methods, seen } = call;
  const isSent = isHttpie && urls.slice(1).some(({ text }) => /^[\w.[\]-]+(?::?=|@)/.test(text));
  const explicit = methods.at(-1);
  const implied = seen.has("head")
    ? "HEAD"
    : seen.has("get")
      ? "GET"
      : seen.has("upload")
        ? "PUT"
        : seen.has("body") || isSent
          ? "POST"
          : undefined;
  const method = explicit ?? (implied === undefined ? undefined : { text: implied });
  return { urls: isHttpie ? urls.slice(0, 1) : urls, ...(method && { method }) };
}

class ArgumentReader {
  readonly urls: Word[] = [];
  readonly methods: MethodEvidence[] = [];
  readonly seen = new Set<Effect>();
  #next = 0;

  constructor(
    readonly options: Options,
    readonly words: readonly Word[],
  ) {}

  read(): void {
    while (this.#next < this.words.length) {
      const word = this.words[this.#next++];
      if (!word) return;
      if (word.text.startsWith("--") && word.text.length > 2) this.#readLong(word);
      else if (/^-[A-Za-z]/.test(word.text)) this.#readShort(word);
      else if (methodNamed(word.text, true) !== undefined) this.methods.push({ text: word.text });
      else this.urls.push(word);
    }
  }

  #readLong(word: Word): void {
    const [, name = "", given] = /^--([\w.-]+)(?:=(.*))?$/s.exec(word.text) ?? [];
    const effect = this.options.long.get(name.toLowerCase());
    if (effect === undefined) return;
    if (given === undefined || !this.#takesValue(effect)) this.#apply(effect);
    else if (effect === "url") this.urls.push(tail(word, word.text.length - given.length));
    else this.#apply(effect, given);
  }

  /** `-skXPOST` is `-s -k -X POST`. */
  #readShort(word: Word): void {
    // PowerShell's, and those of programs that know no short ones.
    const named = this.options.long.get(word.text.slice(1).toLowerCase());
    if (named !== undefined && word.text.length > 3) {
      this.#apply(named);
      return;
    }
    for (let index = 1; index < word.text.length; index++) {
      const effect = this.options.short.get(word.text.charAt(index));
      if (effect === undefined) continue;
      if (!this.#takesValue(effect)) {
        this.#apply(effect);
        continue;
      }
      const attached = word.text.slice(index + 1).replace(/^=/, "");
      this.#apply(effect, attached === "" ? undefined : attached);
      return;
    }
  }

  #takesValue(effect: Effect): boolean {
    return effect !== "get" && effect !== "head";
  }

  #apply(effect: Effect, attached?: string): void {
    this.seen.add(effect);
    if (!this.#takesValue(effect)) return;
    const word = attached === undefined ? this.words[this.#next++] : undefined;
    const value = attached ?? word?.text ?? "";
    if (effect === "method") this.methods.push(evidenceOf(value));
    if (effect === "url" && word) this.urls.push(word);
  }
}

function tail(word: Word, from: number): Word {
  return {
    text: word.text.slice(from),
    at: (index) => word.at(from + index),
    offset: word.at(from),
  };
}

/** `POST`, `$METHOD`, `${METHOD:-POST}`. */
export function evidenceOf(value: string): MethodEvidence {
  const named = methodNamed(value);
  if (named !== undefined) return { text: named };
  const variable = nameOf(value.replace(/^[\s{%<#$]+/, ""));
  return variable === undefined ? {} : { variable };
}
