import fc from "fast-check";
import { ENDPOINT_NAMES, releasesOf, routesOf } from "../../src/api/endpoints";
import { compareReleases, RELEASES, type Release } from "../../src/api/release";
import { changesOf, type Upgrade } from "../../src/upgrade/change";
import { readScript } from "../../src/upgrade/scripts/files";
import { findingsOfMentions, findingsOfReports } from "../../src/upgrade/script-grades";
import { findMentions } from "../../src/upgrade/scripts/mentions";
import { SECTIONS } from "../../src/upgrade/sections";

const upgrade = (from: Release, to: Release): Upgrade => ({ from, to });

function findings(script: string, from: Release, to: Release, file = "file.sh") {
  const sources = readScript(file, script);
  return [
    ...findingsOfMentions(findMentions(sources), upgrade(from, to)),
    ...sources.flatMap((source) => findingsOfReports(source, upgrade(from, to))),
  ];
}

/** `error 9.1.1 POST /api/v1/…`: the grade, and what to do with the call. */
function grades(script: string, from: Release, to: Release, file?: string): string[] {
  const shell = file === undefined ? `API=https://c:8083/api/v1\n${script}` : script;
  return findings(shell, from, to, file).map(({ severity, section, replacement = "" }) =>
    `${severity} ${section} ${replacement}`.trimEnd(),
  );
}

const REFUSED = "Store the credential on the console, and send its ID as credentialID.";
const EMPTY = "Read credentialID.";
const ONE_SCOPE = "Read credentialIDs; there is one scope for each account.";
const DEFENDED = '"defended" for "protected"';

test.each<[string, Release, Release, string, string[]]>([
  // 9.1.1
  [
    "by GET",
    "20.04",
    "20.09",
    "curl $API/scripts/defender.sh",
    ["error 9.1.1 POST /api/v1/scripts/defender.sh"],
  ],
  ["by POST already", "20.04", "20.09", "curl -X POST $API/scripts/defender.sh", []],
  ["by POST, as it stays", "20.09", "next", "curl -X POST $API/scripts/defender.sh", []],
  [
    "by a method that is not plain",
    "20.04",
    "20.09",
    "curl -X $METHOD $API/scripts/defender.sh",
    ["possible 9.1.1 POST /api/v1/scripts/defender.sh"],
  ],
  [
    "a chart",
    "20.04",
    "20.12",
    "curl $API/defenders/helm/acme-defender-helm.tar.gz",
    ["error 9.1.1 POST /api/v1/defenders/helm/{product}-defender-helm.tar.gz"],
  ],
  // 9.1.2
  [
    "an inline credential",
    "20.04",
    "20.09",
    `curl -X POST -d '{"registry":"r","credential":{"secret":{"plain":"x"}}}' $API/settings/registry`,
    [`error 9.1.2 ${REFUSED}`],
  ],
  [
    "a credential by ID",
    "20.04",
    "20.09",
    `curl -X POST -d '{"registry":"r","credentialID":"x"}' $API/settings/registry`,
    [],
  ],
  [
    "a body in a file",
    "20.04",
    "20.09",
    "curl -X PUT -d @r.json $API/settings/registry",
    [`possible 9.1.2 ${REFUSED}`],
  ],
  [
    "an answer that is read",
    "20.04",
    "20.09",
    "curl $API/settings/registry | jq .specifications[].credential.accountID",
    [`error 9.1.2 ${EMPTY}`],
  ],
  [
    "an answer that is kept",
    "20.04",
    "20.09",
    "curl $API/settings/registry",
    [`possible 9.1.2 ${EMPTY}`],
  ],
  ["settings behind the change", "20.09", "next", "curl $API/settings/registry", []],
  // 9.1.3
  [
    "a renamed path",
    "20.04",
    "20.12",
    "curl -d @s $API/settings/serverless-auto-protect",
    ["error 9.1.3 POST /api/v1/settings/serverless-auto-deploy"],
  ],
  [
    "a renamed status",
    "20.04",
    "20.12",
    "curl $API/statuses/serverless-autoprotect",
    ["error 9.1.3 GET /api/v1/statuses/serverless-auto-deploy"],
  ],
  [
    "a renamed path by another method",
    "20.04",
    "20.12",
    "curl -X PUT -d @s $API/settings/serverless-auto-protect",
    ["error 9.1.3 PUT /api/v1/settings/serverless-auto-deploy"],
  ],
  ["the new path already", "20.04", "20.12", "curl $API/statuses/serverless-auto-deploy", []],
  // 9.2
  ["a deprecated call", "20.04", "20.09", "curl $API/radar/host/export", ["warning 9.2"]],
  [
    "a deprecated call, later",
    "20.12",
    "next",
    "curl -X DELETE $API/audits/access",
    ["warning 9.2"],
  ],
  // 9.3
  ["other data", "20.12", "next", "curl $API/stats/compliance", ["error 9.3.1"]],
  ["the same data", "20.04", "20.12", "curl $API/stats/compliance", []],
  [
    "a POST that adds from now on",
    "20.12",
    "next",
    "curl -d @s $API/settings/serverless-scan",
    ["error 9.3.3 PUT /api/v1/settings/serverless-scan"],
  ],
  [
    "an answer whose scopes change",
    "20.12",
    "next",
    "curl $API/settings/serverless-scan > scopes.json",
    [`possible 9.3.3 ${ONE_SCOPE}`],
  ],
  [
    "a moved path",
    "20.12",
    "next",
    "curl $API/policies/runtime/custom-rules",
    ["error 9.3.4 GET /api/v1/custom-rules"],
  ],
  [
    "a parameter",
    "20.12",
    "next",
    "curl $API/serverless/names?protected=true",
    [`error 9.3.6 ${DEFENDED}`],
  ],
  ["no parameter", "20.12", "next", "curl $API/serverless/names", []],
  [
    "a parameter set elsewhere",
    "20.12",
    "next",
    'curl "$API/serverless/names?$Q"\ngrep protected names.json',
    [`possible 9.3.6 ${DEFENDED}`],
  ],
  ["a member", "20.12", "next", "curl $API/cloud/discovery", [`error 9.3.6 ${DEFENDED}`]],
  ["a column", "20.12", "next", "curl $API/cloud/discovery/download", [`error 9.3.6 ${DEFENDED}`]],
  [
    "layer times",
    "20.12",
    "next",
    "curl $API/images | jq '.[].binaries[].layerTime'",
    ["warning 9.3.7 Read applications[].layerTime."],
  ],
  [
    "images, of which an answer is kept",
    "20.12",
    "next",
    "curl $API/images",
    ["warning 9.3.7 Read applications[].layerTime."],
  ],
  // No change.
  ["sign-up", "20.04", "next", "curl -d @u $API/signup", []],
  ["a method that no release has", "20.04", "next", "curl -X DELETE $API/settings/registry", []],
  // Several at once.
  [
    "all the way",
    "20.04",
    "next",
    "curl -d @s $API/settings/serverless-scan",
    ["error 9.3.3 PUT /api/v1/settings/serverless-scan", `possible 9.1.2 ${REFUSED}`],
  ],
  // Another release.
  ["a method that is gone already", "20.09", "20.12", "curl $API/scripts/defender.sh", ["note 9"]],
  [
    "what is gone already",
    "20.09",
    "20.12",
    "curl $API/statuses/serverless-autoprotect",
    ["note 9"],
  ],
])("%s, from %s to %s", (_, from, to, script, expected) => {
  expect(grades(script, from, to)).toEqual(expected);
});

describe("always finds", () => {
  test.each([
    ["GET", "curl $API/policies/runtime/custom-rules"],
    ["POST", "curl -d @rule.json $API/policies/runtime/custom-rules"],
    ["PUT", "curl -X PUT -d @rule.json $API/policies/runtime/custom-rules/5"],
    ["DELETE", 'curl -X DELETE "$API/policies/runtime/custom-rules/$ID"'],
  ])("a %s of custom rules, also below their path", (method, script) => {
    expect(grades(script, "20.12", "next")).toEqual([`error 9.3.4 ${method} /api/v1/custom-rules`]);
  });

  test("a custom rule in any language", () => {
    const scripts = {
      "a.py": 'requests.delete(f"{base}/api/v1/policies/runtime/custom-rules/{rule}")',
      "a.js": "await axios.put(`${api}/policies/runtime/custom-rules/${id}`, rule);",
      "a.ps1": 'Invoke-RestMethod "$api/policies/runtime/custom-rules" -Method Post -Body $rule',
      "a.go": 'http.Get(base + "/api/v1/policies/runtime/custom-rules")',
      "a.yml": '- uri: { url: "{{ api }}/policies/runtime/custom-rules/5", method: PUT }',
    };
    for (const [file, script] of Object.entries(scripts)) {
      expect([file, grades(script, "20.12", "next", file)[0]?.slice(0, 11)]).toEqual([
        file,
        "error 9.3.4",
      ]);
    }
  });

  test("a reader of the regions of serverless scopes", () => {
    const script = "curl -s $API/settings/serverless-scan | jq '.[].region'";
    expect(grades(script, "20.12", "next")).toEqual([`error 9.3.3 ${ONE_SCOPE}`]);
  });

  test.each([
    ["a variable", 'Q="protected=true"\ncurl "$API/serverless/names?$Q"'],
    ["a text behind the path", 'requests.get(API + "/serverless/names" + query)'],
    ["parameters", 'requests.get(f"{API}/serverless/names", params=filters)'],
    ["parameters by name", 'requests.get(f"{API}/serverless/names", params={name: "true"})'],
  ])("function names with a query that is built of %s", (_, script) => {
    expect(grades(script, "20.12", "next")).toEqual([`possible 9.3.6 ${DEFENDED}`]);
  });

  test("audits whose type is filled in", () => {
    const script = `for type in ("host", "container"):
    requests.get(base + "/api/v1/audits/firewall/network/%s" % type)`;
    expect(grades(script, "20.04", "20.09", "a.py")).toEqual(["warning 9.2"]);
    expect(findings(script, "20.04", "20.09", "a.py")[0]?.place.path).toBe(
      "/api/v1/audits/firewall/network/*",
    );
  });

  test("a script that reads the reports of the image scanner", () => {
    const script = `report = json.load(open("report.json"))
for result in report["results"]:
    for one in result["vulnerabilities"]:
        print(one["riskFactors"], one["publishedDays"])`;
    const convert = "cdktf-console report convert writes either schema";
    expect(grades(script, "20.12", "next", "a.py")).toEqual([
      `error 9.3.5 ${convert}`,
      `error 9.3.5 ${convert}`,
    ]);
  });
});

test("ignores the risk factors of host records next to those of a report", () => {
  const script = `jq '.results[].vulnerabilities[].riskFactors' scan.json
jq '.[].riskFactors' hosts.json
curl -s "$API/hosts" | jq '.[] | { hostname, riskFactors, vulnerabilities }'`;
  expect(findings(script, "20.12", "next").map(({ place }) => place.line)).toEqual([1]);
});

test("ignores the risk factors of host records", () => {
  const script = `for host in requests.get(f"{base}/api/v1/hosts").json():
    print(host["hostname"], host["riskFactors"], host["vulnerabilitiesCount"])
    print([v["cve"] for v in host["vulnerabilities"]])`;
  expect(grades(script, "20.12", "next", "a.py")).toEqual([]);
});

test("explains that a call has another effect in the next release", () => {
  const [finding] = findings("curl -d @s $API/settings/serverless-scan", "20.12", "next");
  expect(finding?.message).toBe(
    "In the next release, POST /api/v1/settings/serverless-scan is another endpoint (addServerlessScanScope): the call succeeds, with another effect.",
  );
});

test("explains why a finding is only possible", () => {
  const script = "curl -X $METHOD $API/policies/runtime/custom-rules";
  const [finding] = findings(script, "20.12", "next");
  expect(finding?.severity).toBe("possible");
  expect(finding?.message).toContain("The script does not state the method plainly.");
});

test("does not take the body of another call", () => {
  const script = `curl -X PUT -d '{"specifications":[{"credential":{}}]}' $API/settings/registry
curl -X PUT -d @r.json $API/settings/registry`;
  expect(grades(script, "20.04", "20.09")).toEqual([
    `error 9.1.2 ${REFUSED}`,
    `possible 9.1.2 ${REFUSED}`,
  ]);
});

test("makes one finding of a variable that may hold several paths, with a star", () => {
  const found = findings("curl $API/radar/$KIND/export", "20.04", "20.09");
  expect(found.map(({ place }) => place.path)).toEqual(["/api/v1/radar/*/export"]);
});

test("finds the members of a scanner report at their lines", () => {
  const script = `# riskFactors of vulnerabilities
jq '.results[].vulnerabilities[].riskFactors' scan.json
jq .publishedDays scan.json`;
  const at = (to: Release) =>
    findings(script, "20.04", to).map(
      ({ section, severity, place }) => `${section} ${severity} ${place.line}`,
    );
  expect(at("next")).toEqual(["9.3.5 error 2", "9.3.5 error 3"]);
  expect(at("20.12")).toEqual([]);
});

const pairs = RELEASES.flatMap((from) =>
  RELEASES.filter((to) => compareReleases(from, to) < 0).map((to) => upgrade(from, to)),
);

test.each(pairs)("derives the changes from $from to $to from the table of endpoints", (step) => {
  for (const { name, method, path } of routesOf(step.from)) {
    const changes = changesOf(name, step);
    const moved = changes.find((change) => change.kind === "moved");
    const after = routesOf(step.to).find((route) => route.name === name);
    expect(releasesOf(name).includes(step.to)).toBe(
      !changes.some(({ kind }) => kind === "removed"),
    );
    expect([after?.method, after?.path]).toEqual(
      moved?.kind === "moved" ? [moved.to.method, moved.to.path] : [method, path],
    );
    for (const { section } of changes) expect(SECTIONS).toHaveProperty([section]);
  }
});

test("finds the same changes in two steps as in one", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ENDPOINT_NAMES),
      fc.constantFrom("20.09", "20.12"),
      (name, via) => {
        const sections = (from: Release, to: Release) =>
          changesOf(name, upgrade(from, to)).map(({ section }) => section);
        const steps = [...sections("20.04", via), ...sections(via, "next")];
        expect([...new Set(sections("20.04", "next"))].sort()).toEqual([...new Set(steps)].sort());
      },
    ),
  );
});
