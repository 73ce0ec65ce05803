import { routesOf } from "../../src/api/endpoints";
import { compareReleases, RELEASES, type Release } from "../../src/api/release";
import { endpointChangesOf, type Upgrade } from "../../src/upgrade/change";
import { patternsOf } from "../../src/upgrade/patterns";
import { mentionsIn } from "../../src/upgrade/search-scripts";

function mentions(script: string, from: Release, to: Release): string[] {
  return mentionsIn("a.sh", script, patternsOf({ from, to })).map(
    ({ section, place }) => `${place.line} ${section} ${place.text}`,
  );
}

const UPGRADES = RELEASES.flatMap((from) =>
  RELEASES.filter((to) => compareReleases(from, to) < 0).map((to): Upgrade => ({ from, to })),
);

describe.each(UPGRADES)("from $from to $to", (upgrade) => {
  const { from, to } = upgrade;
  const forms = (path: string) => [
    `curl "$CONSOLE${path}"`,
    `https://console.example.com:8083${path}?limit=50`,
    `{ "url": "${path}" }`,
    `GET ${path}`,
  ];

  test("finds each call that changes, in any form, and no call that does not change", () => {
    const paths = new Map<string, boolean>();
    for (const { name, path } of routesOf(from)) {
      const changes = endpointChangesOf(name, upgrade).length > 0;
      paths.set(path, changes || (paths.get(path) ?? false));
    }
    for (const [path, changes] of paths) {
      for (const form of forms(path.replace(/\{\w+\}/g, "x"))) {
        expect([form, mentions(form, from, to).length > 0]).toEqual([form, changes]);
      }
    }
  });
});

test("finds what is below a path that moves, in any language", () => {
  const scripts = [
    'requests.delete(f"{base}/api/v1/policies/runtime/custom-rules/{rule}")',
    "await axios.put(`${api}/policies/runtime/custom-rules/${id}`, rule);",
    'Invoke-RestMethod "$api/policies/runtime/custom-rules" -Method Post -Body $rule',
    "- uri: { url: '{{ api }}/policies/runtime/custom-rules/5', method: PUT }",
    'RULES = "policies/runtime/custom-rules"',
  ];
  expect(mentions(scripts.join("\r\n"), "20.12", "next")).toEqual(
    scripts.map((_, index) => `${index + 1} 9.3.4 policies/runtime/custom-rules`),
  );
});

test.each([
  ["a longer word", "curl $API/settings/registry-mirror"],
  ["a path below a path that stays", "curl $API/settings/registry/5"],
  ["a common word without the prefix of the API", "ls images serverless"],
  ["members of another name", "jq .riskFactorsCount scan.json"],
])("finds nothing in %s", (_, script) => {
  expect(mentions(script, "20.04", "next")).toEqual([]);
});

test("finds the members of a scanner report at their lines", () => {
  const script = "# of the scanner\njq '.vulnerabilities[].riskFactors' a\njq .publishedDays a";
  expect(mentions(script, "20.12", "next")).toEqual([
    "2 9.3.5 riskFactors",
    "3 9.3.5 publishedDays",
  ]);
  expect(mentions(script, "20.04", "20.12")).toEqual([]);
});

test("states that a call has another effect in the next release", () => {
  const patterns = patternsOf({ from: "20.12", to: "next" });
  expect(patterns.map(({ message }) => message)).toContainEqual(
    expect.stringContaining(
      "In the next release, POST /api/v1/settings/serverless-scan is another endpoint (addServerlessScanScope): the call succeeds, with another effect.",
    ),
  );
});
