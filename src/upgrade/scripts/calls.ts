import type { Method } from "../../api/endpoint";
import { isForeignName, readConsoleUrl, type ConsoleUrl } from "./console-url";
import { methodBeside } from "./entry";
import { sharedVariables, type Reading } from "./reading";
import { telling } from "./telling";
import type { Template } from "./template";
import { methodNamed, type MethodEvidence, type Use } from "./use";
import { Variables, type Resolved } from "./variables";

/** A call of the console's API in a script. */
export interface Call {
  readonly reading: Reading;
  /** Undefined where the script does not say it. */
  readonly method: Method | undefined;
  /** As the table of endpoints has them; several where a variable decides. */
  readonly paths: readonly string[];
  readonly query: string;
  /** From 1. Where the URL is given to the call, and where the path's text stands. */
  readonly line: number;
  readonly pathLine: number;
  readonly endLine: number;
  /** The statement around it, without comments. */
  readonly statement: string;
  /** Whether the file says it anywhere but in the statements of other calls. */
  isAround(sign: RegExp): boolean;
}

interface Candidate {
  readonly reading: Reading;
  readonly use: Use;
  readonly resolved: Resolved;
  readonly url: ConsoleUrl;
}

/** All calls of the files, which may set variables for each other, in the order of the files. */
export function findCalls(readings: readonly Reading[]): readonly Call[] {
  const shared = sharedVariables(readings);
  const files = readings.map((reading) => fileOf(reading, shared));
  const made = files.flatMap(({ calls }) => calls);
  const used = new Set<Template>(made.flatMap(({ resolved }) => [...resolved.used()]));
  return files.flatMap(({ variables, calls, values }) => {
    // Text that a variable holds is a call where the variable is used; where nothing is seen to
    // use it, it counts as one itself.
    const unused = values.filter(({ use }) => !used.has(use.template));
    // Of a table of calls, too, which may say the method beside each.
    const all = [...calls.filter(({ use }) => !used.has(use.template)), ...unused];
    const found = all.map((candidate) => callOf(candidate, variables, all));
    return distinct(found).sort((a, b) => a.line - b.line);
  });
}

function fileOf(reading: Reading, shared: ReadonlyMap<string, Template>) {
  const { gathered, code } = reading;
  const variables = new Variables(gathered.constants, shared, usesByName(gathered.uses));
  const mayBeUrl = telling(gathered.constants, shared);
  const urls = new Map<string, ConsoleUrl | undefined>();
  const urlIn = (text: string) => {
    if (!urls.has(text)) urls.set(text, readConsoleUrl(text));
    return urls.get(text);
  };
  const wrappers = wrappersIn(gathered.uses, variables);
  const candidates = gathered.uses
    .map((use) => throughWrapper(use, wrappers))
    .filter(({ context, template }) => context !== "inert" && mayBeUrl(template))
    .flatMap((use) =>
      variables.resolve(use.template, use.offset).flatMap((resolved): Candidate[] => {
        const url = urlIn(resolved.text);
        return url ? [{ reading, use, resolved, url }] : [];
      }),
    );
  const traits: Traits = {
    speaksHttp: SPEAKS_HTTP.test(code),
    mentionsApi: /\bapi\/v1\b|:8083\b/.test(code),
    bases: new Set(
      candidates.flatMap(({ use, url, resolved }) => {
        const isTelling = use.context === "request" && url.form === "based" && !url.isCommon;
        return isTelling && resolved.base ? [resolved.base] : [];
      }),
    ),
  };
  const accepted = candidates.filter((candidate) => isCall(candidate, traits));
  const isValue = ({ use }: Candidate) => use.context !== "request" && use.assigned !== undefined;
  return {
    variables,
    calls: accepted.filter((candidate) => !isValue(candidate)),
    values: accepted.filter(isValue),
  };
}

type Wrappers = ReadonlyMap<string, MethodEvidence | undefined>;

/** Functions that put a parameter into the URL of a request, with its method. */
function wrappersIn(uses: readonly Use[], variables: Variables): Wrappers {
  const wrappers = new Map<string, MethodEvidence | undefined>();
  for (const { template, context, method, offset } of uses) {
    if (context !== "request") continue;
    for (const part of template) {
      const name = part.kind === "hole" ? part.name : undefined;
      const of = name === undefined ? undefined : variables.functionOf(name, offset);
      if (of !== undefined && of !== "") wrappers.set(of, method);
    }
  }
  return wrappers;
}

/** What such a function is given is a URL, whatever the function is called. */
function throughWrapper(use: Use, wrappers: Wrappers): Use {
  const { callee = "", context } = use;
  if (context === "request" || !wrappers.has(callee)) return use;
  return { ...use, context: "request", method: use.method ?? wrappers.get(callee) };
}

function usesByName(uses: readonly Use[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const { template, offset } of uses) {
    for (const part of template) {
      if (part.kind === "text" || part.name === undefined) continue;
      const known = found.get(part.name) ?? [];
      found.set(part.name, known);
      known.push(offset);
    }
  }
  for (const offsets of found.values()) offsets.sort((a, b) => a - b);
  return found;
}

/** What a file shows that makes a bare path in it a call. */
interface Traits {
  readonly speaksHttp: boolean;
  readonly mentionsApi: boolean;
  /** Variables that a console's own paths follow. */
  readonly bases: ReadonlySet<string>;
}

const SPEAKS_HTTP =
  /\b(?:curl|wget|requests|urllib\d?|http\.client|httpx|aiohttp|axios|fetch|superagent|net\/http|https?\.(?:request|get|post)|node-fetch|HttpClient|HttpRequest|HttpURLConnection|RestTemplate|WebClient|RestClient|OkHttp\w*|Invoke-RestMethod|Invoke-WebRequest|httpRequest|Faraday|HTTParty|Net::HTTP|LWP|GuzzleHttp|reqwest|uri|session|xhr|XMLHttpRequest|request)\b|\bcurl_/;

function isCall({ use, url, resolved }: Candidate, traits: Traits): boolean {
  const { form } = url;
  const isCommon = url.isCommon && !/\b(?:protected|defended)=/.test(url.query);
  const isRequest = use.context === "request";
  const isStated = use.method?.text !== undefined || use.method?.variable !== undefined;
  if (resolved.base !== undefined && isForeignName(resolved.base)) return false;
  if (form === "prefixed") {
    const isValue = use.context === "plain" && (use.assigned ?? "") !== "" && traits.speaksHttp;
    return url.address !== "" || isRequest || isStated || isValue;
  }
  if (form === "based") {
    const base = resolved.base ?? "";
    const isConsoles = traits.bases.has(base) || /console/i.test(base);
    if (isCommon || !isRequest) return isConsoles || (isStated && !isCommon);
    return true;
  }
  if (!isRequest) return false;
  if (isCommon) return traits.mentionsApi && traits.speaksHttp;
  return isStated || traits.mentionsApi || traits.speaksHttp;
}

function callOf(
  { reading, use, resolved, url }: Candidate,
  variables: Variables,
  all: readonly Candidate[],
): Call {
  const { code } = reading;
  const lineOf = (offset: number) => reading.lineAt(offset);
  const pathOffset = resolved.offsetAt(url.index);
  const isInside = pathOffset !== undefined && pathOffset >= use.offset && pathOffset <= use.end;
  const line = lineOf(isInside ? pathOffset : use.offset);
  return {
    reading,
    method: methodOf(use, variables, () =>
      pathOffset === undefined || isInside ? undefined : methodBeside(code, pathOffset),
    ),
    paths: url.paths,
    query: url.query,
    line,
    pathLine: pathOffset === undefined ? line : lineOf(pathOffset),
    endLine: Math.max(line, lineOf(Math.max(use.start, use.end - 1))),
    statement: code.slice(use.start, use.end),
    isAround: (sign) =>
      placesOf(sign, reading).some((place) =>
        all.every(({ use: other }) => {
          const isWithin = other.start <= place && place < other.end;
          return !isWithin || (other.start < use.end && use.start < other.end);
        }),
      ),
  };
}

/** Asked for by each call of a file. */
const places = new WeakMap<Reading, Map<RegExp, readonly number[]>>();

function placesOf(sign: RegExp, reading: Reading): readonly number[] {
  const known = places.get(reading) ?? new Map<RegExp, readonly number[]>();
  places.set(reading, known);
  const before = known.get(sign);
  if (before) return before;
  const found = [...reading.code.matchAll(new RegExp(sign, "g"))].map(({ index }) => index);
  known.set(sign, found);
  return found;
}

/** `beside` is asked where nothing says it, or a variable that may be several. */
function methodOf(
  { method, offset }: Use,
  variables: Variables,
  beside: () => string | undefined,
): Method | undefined {
  const { text, variable } = method ?? {};
  if (text !== undefined) return asMethod(text);
  if (variable === undefined) return asMethod(beside() ?? "");
  const held = variables.resolve([{ kind: "hole", name: variable, offset }], offset);
  const [only, ...others] = new Set(held.map(({ text: value }) => asMethod(value)));
  if (only !== undefined && others.length === 0) return only;
  return asMethod(beside() ?? "");
}

function asMethod(text: string): Method | undefined {
  const named = methodNamed(text);
  const methods: readonly Method[] = ["GET", "POST", "PUT", "DELETE"];
  return methods.find((method) => method === named);
}

function distinct(calls: readonly Call[]): Call[] {
  const known = new Map<string, Call>();
  for (const call of calls) {
    const key = JSON.stringify([call.line, call.pathLine, call.method, call.paths]);
    if (!known.has(key)) known.set(key, call);
  }
  return [...known.values()];
}
