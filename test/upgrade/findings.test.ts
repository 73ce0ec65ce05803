import fc from "fast-check";
import { ENDPOINT_NAMES, releasesOf, routesOf } from "../../src/api/endpoints";
import { compareReleases, RELEASES, type Release } from "../../src/api/release";
import { changesOf, type Upgrade } from "../../src/upgrade/change";
import { findingsOfCall, findingsOfReports } from "../../src/upgrade/script-findings";
import { findCalls } from "../../src/upgrade/scripts/calls";
import { readScript } from "../../src/upgrade/scripts/reading";
import { SECTIONS } from "../../src/upgrade/sections";

const upgrade = (from: Release, to: Release): Upgrade => ({ from, to });

function findings(script: string, from: Release, to: Release) {
  const reading = readScript("file.sh", `API=https://c:8083/api/v1\n${script}`, "shell");
  return findCalls([reading]).flatMap((call) => findingsOfCall(call, upgrade(from, to)));
}

/** `error 9.1.1 POST /api/v1/…`: what is to be done with the call. */
function inWords(script: string, from: Release, to: Release): string[] {
  return findings(script, from, to).map(
    ({ severity, section, replacement }) => `${severity} ${section} ${replacement ?? ""}`,
  );
}

const REFUSED = "Store the credential on the console, and send its ID as credentialID.";
const EMPTY = "Read credentialID.";
const DEPRECATED = "nothing takes its place";

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
    [`error 9.1.2 ${REFUSED}`],
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
    [`error 9.1.2 ${EMPTY}`],
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
  ["the new path already", "20.04", "20.12", "curl $API/statuses/serverless-auto-deploy", []],
  // 9.2
  [
    "a deprecated call",
    "20.04",
    "20.09",
    "curl $API/radar/host/export",
    [`warning 9.2 ${DEPRECATED}`],
  ],
  [
    "a deprecated call, later",
    "20.12",
    "next",
    "curl -X DELETE $API/audits/access",
    [`warning 9.2 ${DEPRECATED}`],
  ],
  // 9.3
  ["other data", "20.12", "next", "curl $API/stats/compliance", ["error 9.3.1 "]],
  ["the same data", "20.04", "20.12", "curl $API/stats/compliance", []],
  [
    "a POST that adds from now on",
    "20.12",
    "next",
    "curl -d @s $API/settings/serverless-scan",
    ["error 9.3.3 PUT /api/v1/settings/serverless-scan"],
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
    ['error 9.3.6 "defended" for "protected"'],
  ],
  ["no parameter", "20.12", "next", "curl $API/serverless/names", []],
  [
    "a parameter set elsewhere",
    "20.12",
    "next",
    'curl "$API/serverless/names?$Q"\ngrep protected names.json',
    ['warning 9.3.6 "defended" for "protected"'],
  ],
  [
    "a member",
    "20.12",
    "next",
    "curl $API/cloud/discovery",
    ['error 9.3.6 "defended" for "protected"'],
  ],
  [
    "a column",
    "20.12",
    "next",
    "curl $API/cloud/discovery/download",
    ['error 9.3.6 "defended" for "protected"'],
  ],
  [
    "layer times",
    "20.12",
    "next",
    "curl $API/images",
    ["warning 9.3.7 Read applications[].layerTime."],
  ],
  // What nothing happens to.
  ["sign-up", "20.04", "next", "curl -d @u $API/signup", []],
  ["a method that no release has", "20.04", "next", "curl -X DELETE $API/settings/registry", []],
  // Several at once.
  [
    "all the way",
    "20.04",
    "next",
    "curl -d @s $API/settings/serverless-scan",
    ["error 9.3.3 PUT /api/v1/settings/serverless-scan", `error 9.1.2 ${REFUSED}`],
  ],
  // What belongs to another release.
  [
    "what is gone already",
    "20.09",
    "20.12",
    "curl $API/statuses/serverless-autoprotect",
    ["note 9 "],
  ],
])("%s, from %s to %s", (_, from, to, script, expected) => {
  expect(inWords(script, from, to)).toEqual(expected);
});

test("a call whose method changes its meaning is told of what it does then", () => {
  const [finding] = findings("curl -d @s $API/settings/serverless-scan", "20.12", "next");
  expect(finding?.message).toBe(
    "The next release takes POST /api/v1/settings/serverless-scan for something else (addServerlessScanScope): the call succeeds, with another effect.",
  );
});

test("another call's body says nothing of this one", () => {
  const script = `curl -X PUT -d '{"specifications":[{"credential":{}}]}' $API/settings/registry
curl -X PUT -d @r.json $API/settings/registry`;
  expect(inWords(script, "20.04", "20.09")).toEqual([
    `error 9.1.2 ${REFUSED}`,
    `error 9.1.2 ${REFUSED}`,
  ]);
});

test("a variable that may hold several paths makes one finding, with a star", () => {
  const found = findings("curl $API/radar/$KIND/export", "20.04", "20.09");
  expect(found.map(({ place }) => place.path)).toEqual(["/api/v1/radar/*/export"]);
});

test("members of a scanner's report are found where they are read", () => {
  const script = `# riskFactors of vulnerabilities
jq '.results[].vulnerabilities[].riskFactors' scan.json
jq .publishedDays scan.json`;
  const reading = readScript("scan.sh", script, "shell");
  const at = (to: Release) =>
    findingsOfReports(reading, upgrade("20.04", to)).map(
      ({ section, severity, place }) => `${section} ${severity} ${place.line}`,
    );
  expect(at("next")).toEqual(["9.3.5 warning 2", "9.3.5 warning 3"]);
  expect(at("20.12")).toEqual([]);
});

const pairs = RELEASES.flatMap((from) =>
  RELEASES.filter((to) => compareReleases(from, to) < 0).map((to) => upgrade(from, to)),
);

test.each(pairs)("from $from to $to every route is called as the table says it is then", (step) => {
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

test("two upgrades in a row change all that one over both does", () => {
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
