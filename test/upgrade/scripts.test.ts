import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { findingsOfMentions } from "../../src/upgrade/script-grades";
import { readScript } from "../../src/upgrade/scripts/files";
import { findMentions, type Mention } from "../../src/upgrade/scripts/mentions";

/** `12 POST /api/v1/settings/license`; `?` for a method that is not plain, `+` for more below. */
function line({ line, method = "?", path: { paths, below } }: Mention): string {
  return `${line} ${method} ${paths.join("|")}${below ? "+" : ""}`;
}

function callsOf(text: string, file = "file.sh"): string[] {
  return findMentions(readScript(file, text)).map(line);
}

function callsOfFiles(files: Record<string, string>): string[] {
  const sources = Object.entries(files).flatMap(([file, text]) => readScript(file, text));
  return findMentions(sources).map((mention) => `${mention.source.file}:${line(mention)}`);
}

describe("the fixtures", () => {
  const CALLS = join(__dirname, "fixtures", "calls");
  const NO_CALLS = join(__dirname, "fixtures", "no-calls");

  interface Expected {
    readonly line: number;
    readonly method: string;
    readonly path: string;
  }

  /** The calls of a file as its `.calls` list has them: `12 POST /api/v1/settings/license`. */
  function expectedOf(file: string): Expected[] {
    const lines = readFileSync(join(CALLS, `${file}.calls`), "utf8")
      .trim()
      .split("\n");
    return lines.map((text) => {
      const [number, method = "", path = ""] = text.split(" ");
      return { line: Number(number), method, path };
    });
  }

  /**
   * A call is found where its path is, with its method or without one: at the line of the call, or,
   * if another line has the path's text, there.
   */
  function finds(mention: Mention, { line, method, path }: Expected, lines: string[]): boolean {
    const pattern = new RegExp(`^${path.replace(/[.{}]/g, "\\$&").replace("*", "[^/]+")}$`);
    if (!mention.path.paths.some((known) => pattern.test(known))) return false;
    if (mention.method !== undefined && mention.method !== method) return false;
    const text = path.slice("/api/v1/".length).replace(/\/?[{*].*/, "");
    return mention.line === line || mention.pathLine === line || !lines[line - 1]?.includes(text);
  }

  test("are found to nine tenths and more, with at most one false finding in ten", () => {
    const count = { calls: 0, found: 0, findings: 0, wrong: 0 };
    for (const file of readdirSync(CALLS).filter((name) => !name.endsWith(".calls"))) {
      const text = readFileSync(join(CALLS, file), "utf8");
      const lines = text.split("\n");
      const expected = expectedOf(file);
      const mentions = findMentions(readScript(file, text));
      const isFound = (call: Expected) => mentions.some((one) => finds(one, call, lines));
      const isWrong = (mention: Mention) => !expected.some((one) => finds(mention, one, lines));
      count.calls += expected.length;
      count.found += expected.filter(isFound).length;
      count.findings += mentions.length;
      count.wrong += mentions.filter(isWrong).length;
    }
    for (const file of readdirSync(NO_CALLS).filter((name) => name !== "README.md")) {
      const mentions = callsOf(readFileSync(join(NO_CALLS, file), "utf8"), file);
      count.findings += mentions.length;
      count.wrong += mentions.length;
    }
    const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
    const found = share(count.found, count.calls);
    const wrong = share(count.wrong, count.findings);
    process.stdout.write(
      `upgrade --scripts: ${found} of calls found, ${wrong} of findings false\n`,
    );
    expect(count.calls).toBe(392);
    expect(count.found / count.calls).toBeGreaterThanOrEqual(0.9);
    expect(count.wrong / count.findings).toBeLessThanOrEqual(0.1);
    const guide = readFileSync(join(__dirname, "../../docs/guides/upgrade.md"), "utf8");
    const documented = /([\d.]+ %) of the calls are found, and ([\d.]+ %) of the findings/.exec(
      guide,
    );
    expect(documented?.slice(1)).toEqual([found, wrong]);
  });
});

describe("a constant", () => {
  test("of another file of the folder is known", () => {
    const files = {
      "a/env.sh": 'export API="https://$HOST:8083/api/v1"\n',
      "a/paths.py": 'REGISTRY = "settings/registry"\n',
      "a/x.sh": '. ./env.sh\ncurl "$API/images"\n',
      "a/y.py": 'requests.get(os.environ["API"] + "/" + paths.REGISTRY)\n',
    };
    expect(callsOfFiles(files)).toEqual([
      "a/x.sh:2 GET /api/v1/images",
      "a/y.py:1 GET /api/v1/settings/registry",
    ]);
  });

  test("of another folder is known unless the own folder has one", () => {
    const files = {
      "lib/paths.py": 'REGISTRY = "/settings/registry"\nIMAGES = "/api/v1/images"\n',
      "run/paths.py": 'IMAGES = "/api/v1/policies"\n',
      "run/y.py": "requests.get(API + paths.REGISTRY)\nrequests.get(API + paths.IMAGES)\n",
    };
    expect(callsOfFiles(files)).toEqual([
      "lib/paths.py:2 ? /api/v1/images",
      "run/y.py:1 GET /api/v1/settings/registry",
      "run/y.py:2 GET /api/v1/policies",
    ]);
  });

  test("holds a part of a path", () => {
    const script = 'SETTINGS = "/settings"\nrequests.put(f"{base}{SETTINGS}/registry", json={})\n';
    expect(callsOf(script, "a.py")).toEqual(["2 PUT /api/v1/settings/registry"]);
  });

  test("is joined to a path", () => {
    const script = `SETTINGS = "/settings"
requests.get("https://c:8083/api/v1" + SETTINGS + "/registry")
requests.get("/".join([BASE, "stats", "compliance"]))
requests.get("/".join((BASE, SETTINGS.strip("/"), "registry")))`;
    expect(callsOf(script, "a.py")).toEqual([
      "2 GET /api/v1/settings/registry",
      "3 GET /api/v1/stats/compliance",
    ]);
    const list = 'fetch([base, "api/v1", "stats", "compliance"].join("/"));';
    expect(callsOf(list, "a.js")).toEqual(["1 GET /api/v1/stats/compliance"]);
  });

  test("that holds the address of another API makes no call", () => {
    const script = 'API=https://gitlab.example.com/api/v4\ncurl "$API/settings/registry"\n';
    expect(callsOf(script)).toEqual([]);
  });

  test("may hold the prefix that another file writes itself", () => {
    const files = {
      "a.js": "const api = `https://${host}:8083/api/v1`;\n",
      "main.tf": 'data "http" "d" { url = "${var.api}/api/v1/scripts/defender.sh" }\n',
    };
    expect(callsOfFiles(files)).toEqual(["main.tf:1 GET /api/v1/scripts/defender.sh"]);
    const alone = {
      "f.go": 'const base = "/api/v1"\n',
      "g.js": "fetch(`${base}/api/v1/settings/registry`);\n",
    };
    expect(callsOfFiles(alone)).toEqual(["g.js:1 GET /api/v1/settings/registry"]);
  });

  test("may be an entry whose key is no name", () => {
    const script = 'urls["?("] = "https://c:8083/api/v1/settings/registry";';
    expect(callsOf(script, "a.js")).toEqual(["1 ? /api/v1/settings/registry"]);
  });

  test("that two files set to different texts is a variable", () => {
    const files = {
      "a.sh": "API=https://console:8083/api/v1\n",
      "b.sh": "API=https://example.com/v2\n",
      "c.sh": 'curl "$API/settings/registry"\n',
    };
    expect(callsOfFiles(files)).toEqual(["c.sh:1 GET /api/v1/settings/registry"]);
  });

  test("has the value that was assigned last", () => {
    const script = `URL=$C/api/v1/images
curl $URL
URL=$C/api/v1/policies
curl -X DELETE $URL`;
    expect(callsOf(script)).toEqual(["2 GET /api/v1/images", "4 DELETE /api/v1/policies"]);
  });

  test("of a table counts by itself if no other API has the path", () => {
    const table = '{ "rules": "policies/runtime/custom-rules", "settings": "settings/registry" }';
    expect(callsOf(table, "paths.json")).toEqual(["1 ? /api/v1/policies/runtime/custom-rules"]);
  });

  test("may be the beginning of a path", () => {
    const script = `RULES="$C/api/v1/policies/runtime/custom-rules"
curl -X PUT "$RULES/5" -d @rule.json
curl -X DELETE "\${RULES}/$ID"`;
    expect(callsOf(script)).toEqual([
      "2 PUT /api/v1/policies/runtime/custom-rules",
      "3 DELETE /api/v1/policies/runtime/custom-rules",
    ]);
  });

  test("that nothing uses counts where it is set", () => {
    const script = "const REGISTRY = `${base}/api/v1/settings/registry`; fetch(x);";
    expect(callsOf(script, "a.js")).toEqual(["1 ? /api/v1/settings/registry"]);
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
  ["wget -O POST", "GET"],
  ["wget --post-data=x", "POST"],
  ["wget --method DELETE", "DELETE"],
  ["http POST", "POST"],
  ["http", "GET"],
  ["curl -X $METHOD", "?"],
  ['curl "${OPTIONS[@]}"', "?"],
])("%s is a %s", (command, method) => {
  const path = "/api/v1/settings/registry";
  expect(callsOf(`${command} "https://c:8083${path}"`)).toEqual([`1 ${method} ${path}`]);
});

test.each([
  ["/api/v1/settings/registry"],
  ["api/v1/settings/registry"],
  ["settings/registry"],
  ["/settings/registry"],
  ["/settings/registry/"],
  ["//settings/registry?project=a"],
])("%s behind a variable is the path", (path) => {
  const slash = path.startsWith("/") ? "" : "/";
  for (const url of [`$API${slash}${path}`, `\${API}${slash}${path}`, `{{ api }}${slash}${path}`]) {
    expect(callsOf(`curl "${url}"`)).toEqual(["1 GET /api/v1/settings/registry"]);
  }
});

test("Ansible's module sends a GET by default, by its short and its full name", () => {
  for (const name of ["uri", "ansible.builtin.uri", "ansible.windows.win_uri"]) {
    const task = `- ${name}:\n    url: "{{ api }}/api/v1/settings/registry"\n`;
    expect(callsOf(task, "a.yml")).toEqual(["2 GET /api/v1/settings/registry"]);
  }
});

test("lines end as Windows ends them, and a byte order mark is before the first", () => {
  const script = '\uFEFFcurl \\\r\n  -X POST \\\r\n  "$API/settings/registry"\r\necho done\r\n';
  expect(callsOf(script)).toEqual(["3 POST /api/v1/settings/registry"]);
});

test("a file of any name is read as any other", () => {
  const script = 'client.put("https://c:8083/api/v1/settings/registry", body);\n';
  for (const file of ["job.conf", "build.xml", "Tiltfile", "x.kts", "y.zig", "z"]) {
    expect(callsOf(script, file)).toEqual(["1 PUT /api/v1/settings/registry"]);
  }
});

const RULES = "/api/v1/policies/runtime/custom-rules";

test.each([
  ["a private member", "a.js", `class A {\n  #rules = "${RULES}";\n}`],
  ["a macro", "a.c", `int x;\n#define RULES "${RULES}"`],
  ["a command behind two dashes", "a.sh", `kubectl exec pod \\\n  -- curl -sk $C${RULES}`],
  ["a text in three quotes", "a.py", `run(\n    """curl -sk $C${RULES}""")`],
])("%s is no comment", (_, file, script) => {
  expect(callsOf(script, file)).toEqual([expect.stringMatching(`^2 (GET|\\?) ${RULES}$`)]);
});

test.each([
  ["a.sh", "# curl $C/api/v1/images"],
  ["a.sh", "#API=x; curl $C/api/v1/images"],
  ["a.js", "x(); // fetch('/api/v1/images')"],
  ["a.js", "/* fetch('/api/v1/images')\n fetch('/api/v1/policies') */"],
  ["a.py", 'def f():\n    """GET\n    curl $C/api/v1/images\n    """'],
  ["a.ps1", "<# irm $C/api/v1/images #>"],
  ["a.cmd", "REM curl %C%/api/v1/images\n:: curl %C%/api/v1/images"],
  ["a.lua", '  -- http.get("/api/v1/images")'],
  ["a.rb", "=begin\nget '/api/v1/images'\n=end"],
  ["a.xml", "<!-- https://c/api/v1/images -->"],
])("a comment of %s is no call: %j", (file, script) => {
  expect(callsOf(script, file)).toEqual([]);
});

test("code within JSON is read", () => {
  const script = String.raw`{ "a": "curl -X PUT \"$API/settings/registry\" -d \"{}\"" }`;
  expect(callsOf(script, "package.json")).toEqual(["1 PUT /api/v1/settings/registry"]);
});

test("a path of one word counts in a call of a file that has the prefix by itself", () => {
  const script = `client = httpx.Client(base_url=f"https://{host}:8083/api/v1")
client.get("serverless", params={"protected": True})
print("images")`;
  expect(callsOf(script, "a.py")).toEqual(["2 GET /api/v1/serverless"]);
  expect(callsOf('store.get("serverless")', "b.py")).toEqual([]);
});

test("a variable at the end of a path may hold several segments", () => {
  const [call] = callsOf('requests.get(base + "/api/v1/audits/%s" % type)', "a.py");
  expect(call).toContain("/api/v1/audits/firewall/network/host");
});

test("YAML that does not parse is read as text", () => {
  const script = "a: b: c\n- uri: { url: '{{ api }}/settings/registry', method: PUT }\n";
  expect(callsOf(script, "a.yml")).toEqual(["2 PUT /api/v1/settings/registry"]);
});

const FILES = ["a.sh", "a.yml", "a.json", "Makefile", "a.py"];

test("every text can be read, and findings are within its lines", () => {
  const pieces = fc.constantFrom(
    ...["curl ", '"', "'", "`", "$(", "${", "{", "}", "(", ")", "[", "]", "<<EOF\n", "EOF\n"],
    ...["#", "//", "/*", "*/", '"""', "\\", "\n", "  ", "- ", "key: ", "|\n", ">\n", "$API", "="],
    ...["https://c:8083/api/v1/settings/registry", "/settings/registry", "-X POST", "+", "%s", "."],
    ...["@'", "\n'@", "requests.get(", "{{ x }}", "for x in ", "def f(", "url", ",", ":", "<%"],
    "\r",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), fc.constantFrom(...FILES), (parts, file) => {
      const text = parts.join("");
      const lines = text.split("\n").length;
      for (const { line, pathLine, endLine } of findMentions(readScript(file, text))) {
        expect(Math.min(line, pathLine)).toBeGreaterThan(0);
        expect(endLine).toBeGreaterThanOrEqual(line);
        expect(Math.max(line, pathLine, endLine)).toBeLessThanOrEqual(lines);
      }
    }),
    { numRuns: 2000 },
  );
});

describe("the time grows with the size of a file, and not faster", () => {
  const times = (text: string, length: number) => text.repeat(Math.ceil(length / text.length));
  test.each<[string, string, (length: number) => string]>([
    ["calls", "a.sh", (n) => times('curl "$API/settings/registry"\n', n)],
    ["queries", "a.sh", (n) => times('curl "$API/serverless/names"\n', n)],
    ["one line", "a.js", (n) => times('fetch(api + "/settings/registry");', n)],
    ["a table", "a.js", (n) => times('["POST", "/settings/registry"], ', n)],
    ["names", "a.py", (n) => times('url = "/api/v1/settings/registry"\nrequests.get(url)\n', n)],
    ["variables", "a.js", (n) => times("a=b+c;b=a+c;c=a+b+'settings';", n)],
    ["quotes", "a.js", (n) => times('"\\', n)],
    ["brackets", "a.js", (n) => `${times("({[", n)}"/api/v1/settings/registry"`],
    ["spaces", "a.js", (n) => times(" ", n)],
    ["comments", "a.c", (n) => times("/* ", n)],
    ["holes", "a.sh", (n) => times("${{ $(", n)],
    ["methods", "a.sh", (n) => times("POST settings/registry ", n)],
    ["YAML", "a.yml", (n) => times("- uri: { url: '{{ a }}/settings/registry' }\n", n)],
    ["a script in YAML", "a.yml", (n) => `run: |\n${times("  curl $A/settings/registry\n", n)}`],
    ["brackets in YAML", "a.yml", (n) => times("[", n)],
  ])("for %s", (_, file, textOf) => {
    const measure = (length: number): number => {
      const text = textOf(length);
      const start = process.cpuUsage();
      findingsOfMentions(findMentions(readScript(file, text)), { from: "20.04", to: "next" });
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    };
    measure(80_000);
    const least = (length: number) => Math.min(measure(length), measure(length));
    // Four times the size takes nine times as long at most; a square would take sixteen times.
    expect(least(160_000)).toBeLessThan(9 * Math.max(least(40_000), 10));
  });
});
