import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { findCalls, type Call } from "../../src/upgrade/scripts/calls";
import { languageOf, type Language } from "../../src/upgrade/scripts/language";
import { readScript } from "../../src/upgrade/scripts/reading";

const CALLS = join(__dirname, "fixtures", "calls");
const NO_CALLS = join(__dirname, "fixtures", "no-calls");

function read(folder: string, file: string) {
  const text = readFileSync(join(folder, file), "utf8");
  const language = languageOf(file, text.split("\n", 1)[0] ?? "");
  if (language === undefined) throw new Error(`${file} is no script`);
  return readScript(file, text, language);
}

/** `12 POST /api/v1/settings/license`; `*` where a variable decides. */
function inWords({ line, method = "GET", paths }: Call): string {
  const [first = [], ...others] = paths.map((path) => path.split("/"));
  const path = first.map((part, index) => (others.every((o) => o[index] === part) ? part : "*"));
  return `${line} ${method} ${path.join("/")}`;
}

function callsOf(text: string, language: Language): string[] {
  return findCalls([readScript("file", text, language)]).map(inWords);
}

test.each(readdirSync(CALLS).filter((file) => !file.endsWith(".calls")))(
  "every call of %s is found, with its line and its method",
  (file) => {
    const expected = readFileSync(join(CALLS, `${file}.calls`), "utf8")
      .trim()
      .split("\n");
    expect(
      findCalls([read(CALLS, file)])
        .map(inWords)
        .sort(),
    ).toEqual(expected.sort());
  },
);

test.each(readdirSync(NO_CALLS).filter((file) => file !== "README.md"))(
  "%s, which calls no console, has no call",
  (file) => {
    expect(findCalls([read(NO_CALLS, file)]).map(inWords)).toEqual([]);
  },
);

describe("a variable", () => {
  test("that another file sets is known", () => {
    const readings = [
      readScript("env.sh", 'export API="https://$HOST:8083/api/v1"\n', "shell"),
      readScript("paths.py", 'REGISTRY = "settings/registry"\n', "python"),
      readScript("a.sh", '. ./env.sh\ncurl "$API/images"\n', "shell"),
      readScript("b.py", 'requests.get(os.environ["API"] + "/" + paths.REGISTRY)\n', "python"),
    ];
    const found = findCalls(readings).map((call) => `${call.reading.file}:${inWords(call)}`);
    expect(found).toEqual(["a.sh:2 GET /api/v1/images", "b.py:1 GET /api/v1/settings/registry"]);
  });

  test("that two files set to different texts is not", () => {
    const readings = [
      readScript("a.sh", "API=https://console:8083/api/v1\n", "shell"),
      readScript("b.sh", "API=https://example.com/v2\n", "shell"),
      readScript("c.sh", 'curl "$API/images"\n', "shell"),
    ];
    expect(findCalls(readings)).toEqual([]);
  });

  test("that another file sets may hold the prefix that this one writes itself", () => {
    const readings = [
      readScript("a.js", "const api = `https://${host}:8083/api/v1`;\n", "c"),
      readScript(
        "main.tf",
        'data "http" "d" { url = "${var.api}/api/v1/scripts/defender.sh" }\n',
        "hcl",
      ),
    ];
    expect(findCalls(readings).map(inWords)).toEqual(["1 GET /api/v1/scripts/defender.sh"]);
  });

  test("has the value that was assigned last, and all of those of branches", () => {
    const script = `URL=$C/api/v1/images
curl $URL
if x; then URL=$C/api/v1/policies; else URL=$C/api/v1/serverless; fi
curl $URL`;
    expect(callsOf(script, "shell")).toEqual([
      "2 GET /api/v1/images",
      "4 GET /api/v1/serverless",
      "4 GET /api/v1/policies",
    ]);
  });

  test("that nothing is seen to use counts where it is set", () => {
    expect(callsOf("const REGISTRY = `${base}/api/v1/settings/registry`; fetch(x);", "c")).toEqual([
      "1 GET /api/v1/settings/registry",
    ]);
  });

  test("of a function's parameter is not the one outside", () => {
    const script = `path = "/api/v1/images"
requests.get(base + path)
def get(path):
    return requests.get(base + path)
`;
    expect(callsOf(script, "python")).toEqual(["2 GET /api/v1/images"]);
  });
});

test.each([
  ["curl -XPOST", "POST"],
  ["curl -X post", "POST"],
  ["curl -skXPUT", "PUT"],
  ["curl --request=DELETE", "DELETE"],
  ["curl --request PUT -d @x", "PUT"],
  ["curl -d @x", "POST"],
  ["curl --data-binary @x", "POST"],
  ["curl --data-raw '{}'", "POST"],
  ["curl -F a=@b", "POST"],
  ["curl --json '{}'", "POST"],
  ["curl -G -d a=b", "GET"],
  ["curl -d '{}' POST", "POST"],
  ["curl -T file", "PUT"],
  ["curl -o POST", "GET"],
  ["curl -H 'X: POST' -u POST", "GET"],
  ["wget --post-data=x", "POST"],
  ["wget --method DELETE", "DELETE"],
  ["wget -O POST", "GET"],
  ["http POST", "POST"],
  ["http", "GET"],
])("%s is a %s", (command, method) => {
  const path = "/api/v1/settings/registry";
  expect(callsOf(`${command} "https://c:8083${path}"`, "shell")).toEqual([`1 ${method} ${path}`]);
});

test.each([
  ["/api/v1/settings/registry"],
  ["api/v1/settings/registry"],
  ["settings/registry"],
  ["/settings/registry"],
  ["/settings/registry/"],
  ["//settings/registry?project=a"],
])("%s is the path behind a variable", (path) => {
  const slash = path.startsWith("/") ? "" : "/";
  for (const url of [`$API${slash}${path}`, `\${API}${slash}${path}`, `{{ api }}${slash}${path}`]) {
    expect(callsOf(`curl "${url}"`, "shell")).toEqual(["1 GET /api/v1/settings/registry"]);
  }
});

test("lines end as Windows ends them, and a byte order mark stands before the first", () => {
  const script = '\uFEFFcurl \\\r\n  -X POST \\\r\n  "$API/settings/registry"\r\necho done\r\n';
  expect(callsOf(script, "shell")).toEqual(["3 POST /api/v1/settings/registry"]);
});

const LANGUAGES: readonly Language[] = [
  ...(["shell", "make", "batch", "yaml", "http", "c", "go", "groovy", "python", "ruby"] as const),
  ...(["perl", "php", "lua", "hcl", "powershell", "json"] as const),
];

test("variables of a minified file, which hold each other over and over, come to an end", () => {
  const script = `${"a=b+c;b=a+c;c=a+b+'settings';".repeat(500)}fetch(api + "/settings/registry");`;
  expect(callsOf(script, "c")).toEqual(["1 GET /api/v1/settings/registry"]);
});

test("an entry whose key is no name is read", () => {
  const script = 'urls["?("] = "https://c:8083/api/v1/settings/registry";';
  expect(callsOf(script, "c")).toEqual(["1 GET /api/v1/settings/registry"]);
});

test("no text keeps a reader from coming to its end, and calls lie in their file", () => {
  const pieces = fc.constantFrom(
    ...["curl ", '"', "'", "`", "$(", "${", "{", "}", "(", ")", "[", "]", "<<EOF\n", "EOF\n"],
    ...["#", "//", "/*", "*/", '"""', "\\", "\n", "  ", "- ", "key: ", "|\n", ">\n", "$API", "="],
    ...["https://c:8083/api/v1/settings/registry", "/settings/registry", "-X POST", "+", "%s", "."],
    ...[
      "@'",
      "\n'@",
      "requests.get(",
      "{{ x }}",
      "for x in ",
      "def f(",
      "url",
      ",",
      ":",
      "<%",
      "\r",
    ],
  );
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 30 }),
      fc.constantFrom(...LANGUAGES),
      (parts, language) => {
        const text = parts.join("");
        const lines = text.split("\n").length;
        for (const { line, pathLine, endLine } of findCalls([readScript("f", text, language)])) {
          expect(line).toBeGreaterThan(0);
          expect(pathLine).toBeGreaterThan(0);
          expect(endLine).toBeGreaterThanOrEqual(line);
          expect(Math.max(line, pathLine, endLine)).toBeLessThanOrEqual(lines);
        }
      },
    ),
    { numRuns: 2000 },
  );
});
