import { HOLE } from "./paths";

/** The text around a path. */
export interface Surroundings {
  /** From the beginning of the command to the path; as written, and with holes. */
  readonly before: string;
  readonly maskedBefore: string;
  readonly after: string;
  /** Texts around the path that hold no other path, the shortest first. */
  readonly regions: readonly string[];
}

/** The use of a path in a script. */
export interface Use {
  /** `none`: the path is only named. */
  readonly kind: "call" | "unknown" | "none";
  /** Undefined where it is not plain. */
  readonly method?: string;
}

const VERB = "get|post|put|delete|patch|head|options";
const CAPITALIZED = VERB.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** Words that say what is done with the path behind them, by role. */
const ROLES = new RegExp(
  [
    // Mocks of a server name paths without a call, whatever their functions are called.
    String.raw`(?<mock>[Mm]ock|[Ss]tub|nock|httptest|supertest|request\(app)`,
    // Routes of a server, and caches: functions that are named after methods.
    String.raw`(?<none>(?<![\w-])(?:app|router|server|mux|cache|redis|config|localStorage|i18n|responses|path|fs|s3|kv)[. ](?:get|post|put|delete|use|route|add)\w*(?=[( ])`,
    // Messages and commands for files.
    String.raw`(?<![\w.-])(?:echo|print\w*|puts|log\w*|[Ll]ogger\.\w+|LOG\.\w+|console\.(?:log|info|warn|error|debug)|Write-(?:Host|Output|Error|Warning|Verbose)|warn\w*|raise|throw|fail\w*|die|assert\w*|expect|it|describe|grep|sed|awk|jq|case|cat|ls|cp|mv|rm|mkdir|tar|scp|rsync|bash)(?![\w-])(?!\s*=)`,
    String.raw`\w*(?:Mapping|Handle(?:Func)?|urlEqualTo|readFile)\(|(?<![\w.])(?:open|path|Path(?:\.of)?)\(|\.(?:route|startswith|replace|compile|match)\(`,
    // Comparisons, and values of options that take no URL.
    String.raw`(?:===?|!=)\s*f?["'\x60]|\[ .* = ["']|\s-[oHd]\s*@?["']?$)`,
    // Clients that send a GET by default.
    String.raw`(?<client>(?<![\w.])(?:ansible\.\w+\.)?(?:curl|CURL|wget|https?(?= )|irm|iwr|[Ii]nvoke-(?:[Rr]est[Mm]ethod|[Ww]eb[Rr]equest)|Start-BitsTransfer|fetch|(?:axios|got)(?=\()|file_get_contents|httpRequest|get_url|(?:win_)?uri(?=["']?\s*:| url=)|data "http"|ADD(?= ))(?![\w-])|(?<!\w)urlopen(?=\())`,
    // Functions and commands that are named after a method.
    String.raw`(?<verb>(?:(?<![A-Za-z])(?:${VERB})|${CAPITALIZED})(?![a-z])\w*)(?=\s*(?:[(<"'\x60/.:]|$|\s[\w/"'$]))`,
    // Other words of requests.
    String.raw`(?<request>(?<![a-z])(?:[Rr]equests?|call|rest|api|http|session|client|axios|got|ajax|[Ff]etch|curl|URL|[Uu]r[li]s?|endpoint|exchange|query|conn|[Ss]end|execute|invoke|Create|[Dd]own[Ll]oad|[Uu]p[Ll]oad)(?![a-z]))`,
  ].join("|"),
  "g",
);

/** Determines what a script does with a path, and by which method. */
export function useOf({ before, maskedBefore, after, regions }: Surroundings): Use {
  // A command that is substituted before the path, as in `<(printf "%s" "$USER")`, is another one.
  const words = [...before.replace(/[<$]\([^()]* [^()]*\)/g, " ").matchAll(ROLES)];
  const roles = words.map(({ groups = {} }) => groups);
  if (roles.some(({ mock }) => mock !== undefined)) return { kind: "none" };
  const last = roles.filter(({ request }) => request === undefined).at(-1);
  if (last?.none !== undefined || isProse(maskedBefore)) return { kind: "none" };
  for (const region of regions) {
    const method = statedMethod(region);
    if (method !== undefined) return { kind: "call", method };
  }
  const method =
    last?.client === undefined
      ? verbIn(last?.verb ?? CHAINED.exec(after)?.[0] ?? "")
      : defaultMethod(last.client.toLowerCase(), maskedBefore + after, after);
  if (method !== undefined) return { kind: "call", method };
  return { kind: roles.length > 0 ? "call" : "unknown" };
}

/** A method of a client that is called on its result, as in `.url(x).delete()`. */
const CHAINED = new RegExp(`\\)\\s*\\.(?:${VERB})\\(`);

function verbIn(name: string): string | undefined {
  return new RegExp(VERB, "i").exec(name)?.[0].toUpperCase();
}

/** Reports whether the path is in a text of several words that runs no client. */
function isProse(before: string): boolean {
  const expression = before.slice(before.lastIndexOf("{{") + 1);
  const open =
    /["'`].*$/s.exec(expression.replace(/(["'`])(?:\\.|(?!\1)[^\\])*\1/g, ""))?.[0] ?? "";
  return (
    /\S\s/.test(open) &&
    [...open.matchAll(ROLES)].every(({ groups }) => groups?.client === undefined)
  );
}

const KEYED_METHOD = new RegExp(
  String.raw`(?:method|httpmode|verb|customrequest|--request|(?<![\w-])-me|(?<![\w-])-[A-Za-z]{0,9}X)\W{0,24}?(?:\w{1,20}(?:\.|::|->)){0,3}(?:lambda\W{1,4})?(${VERB})(?!\w)`,
  "i",
);
const UPPER_CASE = /(?<![\w-])(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS)(?![\w-])/;
const QUOTED = new RegExp(`["'](${VERB})["']`);

/** Options whose values are no methods: outputs, users, headers. */
const OTHER_VALUES = /\s-[oOuH]\s+(?:"[^"]*"|'[^']*'|[^\s"']+)/g;

/** A method that is written out: `-X POST`, `method: "put"`, `"DELETE"`, `http.MethodPut`. */
function statedMethod(text: string): string | undefined {
  const region = text.replace(OTHER_VALUES, "");
  const match = KEYED_METHOD.exec(region) ?? UPPER_CASE.exec(region) ?? QUOTED.exec(region);
  return match?.[1]?.toUpperCase();
}

/** A variable that holds the method. */
const HELD_METHOD = new RegExp(
  String.raw`(?:method|httpmode|verb|--request|(?<![\w-])-[A-Za-z]{0,9}X)["'\]]*\s*(?::=|=>|[:=\s])\s*["']?(?:${HOLE}|\$|[a-z_]\w*)|[{,]\s*method\s*[,}]`,
  "i",
);
/** A variable that may hold options of a command. */
const HELD_OPTIONS = new RegExp(String.raw`(?<=\s)["']?(?:${HOLE}+|@\w+)["']?(?=\s|$)`);
const OPTION_VALUES = /(?:\s--?[\w-]{1,40}[ =]|[<>] ?)(?!-)(?:"[^"]*"|'[^']*'|[^\s"']+)/g;
const BODY =
  /\s(?:-d|-F|--data(?:-\w+)?|--json|--form|--post-(?:data|file))(?![\w-])|\s-[a-zA-Z]{0,9}d\s|(?<=\s)(?:data|body)\s*=/;

/** The method of a client that is given none. */
function defaultMethod(client: string, command: string, after: string): string | undefined {
  if (HELD_METHOD.test(command)) return undefined;
  if (/^(?:fetch|axios|got)$/.test(client) && /^["'`]?\s*,\s*\w/.test(after)) return undefined;
  if (/^(?:curl|wget|https?)$/.test(client)) {
    if (/\s(?:-G|--get)(?!\w)/.test(command)) return "GET";
    if (/\s(?:-T|--upload-file)(?!\w)/.test(command)) return "PUT";
    if (BODY.test(command)) return "POST";
    if (/^https?$/.test(client) && /\s[\w.]+:?=/.test(after)) return "POST";
  }
  const withoutValues = command.replace(OPTION_VALUES, "");
  return HELD_OPTIONS.test(withoutValues) ? undefined : "GET";
}
