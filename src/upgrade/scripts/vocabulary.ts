/**
 * What names of commands and functions say about what is done with their arguments. Names of any
 * language are taken apart into words: `PostAsJsonAsync`, `api_get`, `Invoke-RestMethod`.
 */
export type Role = "request" | "message" | "file" | "route" | "wrapper" | "unknown";

/** In lower case, in their order. */
export function wordsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase());
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ["get", "GET"],
  ["post", "POST"],
  ["put", "PUT"],
  ["delete", "DELETE"],
  ["del", "DELETE"],
  ["patch", "PATCH"],
  ["head", "HEAD"],
  ["upload", "POST"],
  ["download", "GET"],
]);

const set = (words: string) => new Set(words.trim().split(/\s+/));

const REQUEST = set(
  `request requests fetch ajax urlopen urlretrieve urllib http https httpx aiohttp rest api axios got ky needle
  superagent curl wget xh irm iwr call send invoke exchange endpoint client console faraday httparty restclient
  httpie webclient unirest hyper reqwest okhttp guzzle lwp resty gorequest query`,
);
const MESSAGE = set(
  `print println printf fprintf echo log logger logging info debug warn warning error errorf exception raise throw
  assert expect puts say note msg message die fail failed fatal panic abort usage describe it test trace verbose
  banner notice output comment deprecated contains equals equal match matches`,
);
const FILE = set(
  `open read write file path exists mkdir makedirs import require include source load glob listdir remove unlink stat
  copy move rename chdir cd cat cp mv rm ls touch grep sed awk find tar unzip jq yq diff install chmod chown ln tee head
  tail wc sort basename dirname git docker podman kubectl oc helm gh glab az aws gcloud vault consul etcdctl redis
  argocd terraform ansible rsync scp content location template resource resources dir directory folder isfile isdir
  existsfile from pushd popd which type alias export mount sysctl etcd kv environ os`,
);
/** They give back the text that they take, or one made of it. */
const WRAPPER = set(
  `urljoin join url uri urlparse quote encode format string str concat combine strip rstrip lstrip trim resolve pathjoin
  joinpath append create parse of new encodeuri tostring sprintf f u ustring stringbuilder path template interpolate
  urlsplit builder components fromuristring text literal`,
);
/** Objects on which `get`, `put` and `delete` are no requests. */
const STORES = set(
  `config cfg conf settings cache redis os environ env dict map params headers kv store db data options args kwargs
  registry cookies vault properties memo lookup table state redisclient i18n storage localstorage sessionstorage consul etcd bucket dictionary hash items json
  body result response resp row record fs path`,
);
const SERVERS = set(
  "app router server mux e r engine group blueprint bp route routes express fastify nock",
);
const ROUTE = set(
  "handle handlefunc route mapping mapget mappost mapput mapdelete location router nock intercept",
);

/** Those of PowerShell, which begin the names of commands. */
const CMDLET_VERBS: ReadonlyMap<string, string> = new Map([
  ["new", "POST"],
  ["add", "POST"],
  ["set", "PUT"],
  ["update", "PUT"],
  ["remove", "DELETE"],
]);

/** The method that a name says, as `POST` in `api_post`, `HttpPost`, `webClient.post().uri`. */
export function verbOf(callee: string): string | undefined {
  const [, verb = ""] = /^([A-Z]\w*)-[A-Z]/.exec(callee) ?? [];
  const ofCmdlet = CMDLET_VERBS.get(verb.toLowerCase());
  if (ofCmdlet !== undefined) return ofCmdlet;
  for (const name of callee.split(/\.|::|->|\?/).reverse()) {
    const verb = wordsOf(name).find((word) => VERBS.has(word));
    if (verb !== undefined) return VERBS.get(verb);
  }
  return undefined;
}

/** What may stand beside a verb in a name that sends requests: `getJson`, `PostAsync`, `api_get`. */
const BESIDE_VERBS = set(
  `json async string stream for object entity text data do send bytes as raw with retry page pages paginated all safe
  auth authenticated secure my execute body form file csv yaml string byte array from and await sync bearer basic`,
);
/** They compare or look for text. */
const MATCHER = set(
  "startswith endswith startswith includes indexof match matches compile search replace contains equals split tobe add_argument test sub fullmatch matchrequest",
);
/** What stands in for a server in tests. */
const MOCKS = set(
  `responses mock nock httpretty requests_mock rsps httpx_mock respx wiremock mockserver msw stub mockmvc httptest
  stub_request a_request`,
);
/** Of these, what is within is none either: `stubFor(get(…))`. */
const AROUND_MOCKS = /^(?:wiremock\w*|mockmvc|stubfor)$/i;

/** Whether a name is that of something that stands in for a server. */
export function isMock(name: string): boolean {
  return MOCKS.has(name.toLowerCase());
}

/** Whether all requests within what it is called with are only described, for a test. */
export function describesRequests(callee: string): boolean {
  return callee.split(".").some((name) => AROUND_MOCKS.test(name));
}

/** Of a function or method: `requests.post`, `logger.info`, `Path`. */
export function roleOfCallee(callee: string): Role {
  const names = callee.split(/\.|::|->|\?/).filter((name) => name !== "");
  const last = names.at(-1) ?? "";
  const receiver = (names.at(-2) ?? "").replace(/^[$@]+/, "").toLowerCase();
  const words = wordsOf(last);
  const compact = last.toLowerCase();
  const says = (vocabulary: ReadonlySet<string>) =>
    vocabulary.has(compact) || words.some((word) => vocabulary.has(word));
  // PowerShell's verbs are no methods: Get-Item gets nothing from a console.
  const isCmdlet = /^[A-Z]\w*-[A-Z]/.test(last);
  const isVerb = !isCmdlet && namesVerb(words);
  const receivesVerb = names.slice(0, -1).some((name) => namesVerb(wordsOf(name)));
  // They run what they are given, whatever that is.
  if (/^invoke-(?:expression|command|item)$/.test(compact)) return "unknown";
  if (ROUTE.has(compact) || words.includes("mapping")) return "route";
  if (SERVERS.has(receiver) && (isVerb || /^(?:use|route|all|on)$/.test(compact))) return "route";
  if (names.some((name) => /^(?:expect|assert\w*|should)$/i.test(name))) return "message";
  if (MATCHER.has(compact) || names.some(isMock)) return "message";
  if (/^(?:console|logger|log)$/.test(receiver)) return "message";
  if (isVerb && words.length === 1 && STORES.has(receiver)) return "file";
  if (WRAPPER.has(compact) && receivesVerb) return "request";
  if (/^ur[li]$/.test(compact)) return "wrapper";
  if (compact === "open" && receiver.endsWith("opener")) return "request";
  // Of .NET's WebClient. Others that download a file have words between underscores.
  if (/^(?:down|up)load(?:file|data|string|values)/.test(compact)) return "request";
  if (says(REQUEST) || (isVerb && !says(FILE))) return "request";
  if (says(MESSAGE) && !isVerb) return "message";
  if (WRAPPER.has(compact)) return compact === "path" && receiver === "" ? "file" : "wrapper";
  if (says(FILE)) return "file";
  return receivesVerb ? "request" : "unknown";
}

/** `get`, `api_get` and `PostAsync`, but not `getItem`. */
function namesVerb(words: readonly string[]): boolean {
  const others = words.filter((word) => !VERBS.has(word));
  return (
    others.length < words.length &&
    others.every((word) => BESIDE_VERBS.has(word) || REQUEST.has(word))
  );
}

/** Of the name of a command of the shell. */
export function roleOfCommand(name: string): Role {
  const base = name.split("/").at(-1) ?? name;
  const compact = base.toLowerCase();
  if (/^(\[\[?|\.|:|test|true|false|set|shift|read|local|return|exit|trap)$/.test(compact))
    return "file";
  const words = wordsOf(base);
  if (FILE.has(compact)) return "file";
  if (words.some((word) => MESSAGE.has(word))) return "message";
  if (words.some((word) => REQUEST.has(word) || VERBS.has(word))) return "request";
  return "unknown";
}

/** Keys of arguments, mappings and flags whose text is no URL. */
const INERT_KEYS = set(
  `json data body headers header params auth files cookies description summary title name message msg help text label
  comment note dest src file filename out outfile output state when tags contentbody customheaders query payload
  form fields template mode owner group line regexp with key value regex pattern content success_msg fail_msg displayname`,
);

export function isInertKey(key: string): boolean {
  return INERT_KEYS.has(key.replace(/^-+/, "").toLowerCase().replaceAll("_", ""));
}

const METHOD_KEYS = set(
  "method httpmode verb type customrequest requestmethod httpmethod apimethod restmethod custommethod request",
);

export function isMethodKey(key: string): boolean {
  if (/^-me(?:t|th|tho)?$/i.test(key)) return true;
  return key === "-X" || METHOD_KEYS.has(key.replace(/^-+/, "").toLowerCase().replace(/[_-]/g, ""));
}
