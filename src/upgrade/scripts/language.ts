/** How a language writes comments and strings; what matters of it here, and no more. */
export interface Syntax {
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [string, string])[];
  /** Longest first. */
  readonly quotes: readonly Quote[];
  /** Begins a name, as `$` does in PHP. */
  readonly sigils: string;
  /** Joins a statement's lines. */
  readonly continuation: string;
  /** Operators that join strings. */
  readonly joins: readonly string[];
  /** Whether strings beside each other are one. */
  readonly adjacent: boolean;
  /** Whether a function is called by its name and arguments alone, as in Groovy. */
  readonly bareCalls: boolean;
  /** `Verb-Noun -Flag value` of PowerShell. */
  readonly flags: boolean;
  /** Heredocs such as `<<EOF` and `<<~EOS`. */
  readonly heredocs: boolean;
  /** Whether brackets may hold `f(x) for x in y`. */
  readonly comprehensions?: boolean;
  /** Whether backticks run what they hold. */
  readonly ticks?: boolean;
}

export interface Quote {
  readonly open: string;
  readonly close: string;
  /** Before a character that is not to be read as itself; "" where there is none. */
  readonly escape: string;
  readonly lines: boolean;
}

const quote = (open: string, escape = "\\", lines = open.length > 1): Quote => ({
  open,
  close: open,
  escape,
  lines,
});

const C_LIKE: Syntax = {
  lineComments: ["//"],
  blockComments: [["/*", "*/"]],
  quotes: [quote('"""'), quote('"'), quote("'"), quote("`", "\\", true)],
  sigils: "@$",
  continuation: "",
  joins: ["+"],
  adjacent: true,
  bareCalls: false,
  flags: false,
  heredocs: false,
};

const HASH_LIKE: Syntax = {
  ...C_LIKE,
  lineComments: ["#"],
  blockComments: [],
  quotes: [quote('"', "\\", true), quote("'", "\\", true)],
};

const TICKED = { ...HASH_LIKE, quotes: [...HASH_LIKE.quotes, quote("`", "\\", true)], ticks: true };

const SYNTAXES = {
  c: C_LIKE,
  go: { ...C_LIKE, quotes: [quote('"'), quote("'"), quote("`", "", true)] },
  groovy: {
    ...C_LIKE,
    quotes: [quote('"""'), quote("'''"), quote('"'), quote("'")],
    adjacent: false,
    bareCalls: true,
    continuation: "\\",
  },
  python: {
    ...C_LIKE,
    lineComments: ["#"],
    blockComments: [],
    quotes: [quote('"""'), quote("'''"), quote('"'), quote("'")],
    continuation: "\\",
    comprehensions: true,
  },
  ruby: { ...TICKED, blockComments: [["\n=begin", "\n=end"]], bareCalls: true, heredocs: true },
  perl: { ...TICKED, blockComments: [["\n=pod", "\n=cut"]], joins: ["."] },
  php: { ...TICKED, lineComments: ["#", "//"], blockComments: [["/*", "*/"]], joins: ["."] },
  lua: { ...HASH_LIKE, lineComments: ["--"], joins: [".."] },
  hcl: {
    ...C_LIKE,
    lineComments: ["#", "//"],
    quotes: [quote('"')],
    heredocs: true,
  },
  powershell: {
    ...C_LIKE,
    lineComments: ["#"],
    blockComments: [["<#", "#>"]],
    quotes: [
      { open: '@"', close: '\n"@', escape: "`", lines: true },
      { open: "@'", close: "\n'@", escape: "", lines: true },
      quote('"', "`", true),
      quote("'", "", true),
    ],
    continuation: "`",
    adjacent: false,
    flags: true,
  },
  json: { ...C_LIKE, quotes: [quote('"')] },
} as const satisfies Record<string, Syntax>;

export type CodeLanguage = keyof typeof SYNTAXES;
export type Language = CodeLanguage | "shell" | "make" | "batch" | "yaml" | "http" | "curl";

export function syntaxOf(language: CodeLanguage): Syntax {
  return SYNTAXES[language];
}

const byExtension = (language: Language, extensions: string): [string, Language][] =>
  extensions.split(" ").map((extension) => [extension, language]);

const EXTENSIONS = new Map<string, Language>([
  ...byExtension(
    "shell",
    "sh bash zsh ksh dash fish bats env envrc command dockerfile containerfile",
  ),
  ...byExtension("make", "mk mak make"),
  ...byExtension("batch", "bat cmd"),
  ...byExtension("yaml", "yml yaml"),
  ...byExtension("http", "http rest"),
  ...byExtension("curl", "curl curlrc"),
  ...byExtension("python", "py pyw"),
  ...byExtension("ruby", "rb rake gemspec cr ex exs"),
  ...byExtension("perl", "pl pm t"),
  ...byExtension("php", "php"),
  ...byExtension("lua", "lua"),
  ...byExtension("hcl", "tf tfvars hcl nomad pkr"),
  ...byExtension("powershell", "ps1 psm1 psd1"),
  ...byExtension("groovy", "groovy gvy gradle jenkinsfile"),
  ...byExtension("go", "go"),
  ...byExtension("json", "json jsonc json5 ipynb"),
  ...byExtension(
    "c",
    "js mjs cjs jsx ts mts cts tsx vue svelte java kt kts scala cs fs swift rs dart c cc cpp h hpp m",
  ),
]);

const NAMES: readonly (readonly [RegExp, Language])[] = [
  [/^(?:gnu)?makefile(?:\..+)?$/i, "make"],
  [/^justfile$/i, "shell"],
  [/^\.curlrc$/i, "curl"],
  [/^(?:docker|container)file(?:\..+)?$/i, "shell"],
  [/^\.env(?:\..+)?$|^\.(?:bash|zsh)?(?:rc|profile|_profile)$/i, "shell"],
  [/^jenkinsfile(?:[.-].+)?$/i, "groovy"],
  [/^(?:rakefile|gemfile|vagrantfile|brewfile|capfile)$/i, "ruby"],
];

const INTERPRETERS: readonly (readonly [RegExp, Language])[] = [
  [/\b(?:ba|z|k|da|a|fi)?sh\b|\bbats\b/, "shell"],
  [/\bpython/, "python"],
  [/\b(?:pwsh|powershell)\b/, "powershell"],
  [/\bruby\b/, "ruby"],
  [/\bperl\b/, "perl"],
  [/\bphp\b/, "php"],
  [/\bgroovy\b/, "groovy"],
  [/\b(?:node|deno|bun|tsx|ts-node)\b/, "c"],
  [/\bmake\b/, "make"],
  [/\blua\b/, "lua"],
];

/** By the file's name, else by what its first line says runs it. Undefined for what is no script. */
export function languageOf(path: string, firstLine: string): Language | undefined {
  const name = path.split("/").at(-1) ?? path;
  const known = NAMES.find(([pattern]) => pattern.test(name))?.[1];
  if (known !== undefined) return known;
  const [, extension] = /[^.].*\.([^.]+)$/.exec(name) ?? [];
  const template =
    extension !== undefined && /^(?:j2|tmpl|tpl|erb|template|dist|sample|in)$/i.test(extension);
  if (extension !== undefined && template) {
    return languageOf(name.slice(0, -extension.length - 1), firstLine);
  }
  const byName = extension === undefined ? undefined : EXTENSIONS.get(extension.toLowerCase());
  if (byName !== undefined) return byName;
  if (!firstLine.startsWith("#!")) return undefined;
  return INTERPRETERS.find(([pattern]) => pattern.test(firstLine))?.[1];
}
