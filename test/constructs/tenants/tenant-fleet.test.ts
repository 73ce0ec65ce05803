import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TerraformOutput, type App } from "cdktf";
import {
  ConsoleTenant,
  Secret,
  TenantFleet,
  type BuildTenant,
  type TenantSettings,
} from "cdktf-console";
import { findings, refusal, synthApp, type Synthesized } from "../synth";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cdktf-console-tenants-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const base: TenantSettings = {
  console: { username: "admin", password: Secret.fromEnv("CONSOLE_PASSWORD") },
  bootstrap: {},
  license: { key: Secret.fromEnv("CONSOLE_LICENSE_KEY") },
  policies: { policies: [{ name: "No root", checks: { 599: true } }] },
};

const build: BuildTenant = (stack, tenant) => {
  const { policies } = new ConsoleTenant(stack, "tenant", { base, overrides: tenant.overrides });
  new TerraformOutput(stack, "region", { value: tenant.values.region ?? "none" });
  new TerraformOutput(stack, "policies", { value: policies?.contentSha256 });
};

function synthesize(name: string, text: string, how: BuildTenant = build) {
  const file = join(folder, name);
  writeFileSync(file, text);
  return synthApp((app: App) => {
    TenantFleet.fromFile(app, file, how);
  });
}

/** The lines of a refusal, without the folder. */
const problems = (name: string, text: string, how?: BuildTenant): readonly string[] =>
  refusal(() => synthesize(name, text, how))
    .replaceAll(`${folder}/`, "")
    .split("\n")
    .map((line) => line.trim());

const YAML = `
tenants:
  - name: acme
    url: https://acme.example.com:8083
    labels: { ring: canary }
    secrets: { password: ACME_PASSWORD }
    values: { region: eu }
    settings:
      console: { requestTimeout: 20 }
      policies:
        policies:
          - { name: No root, disabled: true }
  - name: globex
    url: https://globex.example.com:8083
`;

const ROWS = [
  {
    name: "acme",
    url: "https://acme.example.com:8083",
    labels: { ring: "canary" },
    secrets: { password: "ACME_PASSWORD" },
    values: { region: "eu" },
    settings: {
      console: { requestTimeout: 20 },
      policies: { policies: [{ name: "No root", disabled: true }] },
    },
  },
  { name: "globex", url: "https://globex.example.com:8083" },
];

const CSV = `name,url,labels.ring,secrets.password,values.region,settings.console.requestTimeout,settings.policies
acme,https://acme.example.com:8083,canary,ACME_PASSWORD,eu,20,"{""policies"":[{""name"":""No root"",""disabled"":true}]}"
globex,https://globex.example.com:8083,,,,,
`;

describe("the stacks of a file", () => {
  test("are the same from YAML, JSON and CSV, byte for byte", () => {
    const [yaml, json, csv] = [
      synthesize("tenants.yaml", YAML),
      synthesize("tenants.json", JSON.stringify({ tenants: ROWS }, undefined, 2)),
      synthesize("tenants.csv", CSV),
    ].map((stacks) => JSON.stringify(stacks, undefined, 2));
    expect(json).toBe(yaml);
    expect(csv).toBe(yaml);
    expect(Object.keys(JSON.parse(yaml ?? "") as object)).toEqual(["acme", "globex"]);
  });

  test("may have the replacement character of Unicode", () => {
    const row = { name: "acme", url: "https://a", values: { note: "\uFFFD" } };
    expect(Object.keys(synthesize("tenants.json", JSON.stringify([row])))).toEqual(["acme"]);
  });

  test("do not depend on the order of the rows", () => {
    const inOrder = synthesize("tenants.json", JSON.stringify(ROWS));
    const reversed = synthesize("tenants.json", JSON.stringify([...ROWS].reverse()));
    expect(reversed).toEqual(inOrder);
  });

  test("have the address, the secrets and the settings of their rows, over the base line", () => {
    const { acme, globex } = synthesize("tenants.yaml", YAML);
    expect(acme?.provider.cwp).toEqual([
      {
        base_url: "https://acme.example.com:8083",
        username: "admin",
        password: "${var.ACME_PASSWORD}",
        request_timeout: 20,
      },
    ]);
    expect(globex?.provider.cwp?.[0]?.password).toBe("${var.CONSOLE_PASSWORD}");
    expect(Object.keys(acme?.variable ?? {}).sort()).toEqual([
      "ACME_PASSWORD",
      "CONSOLE_LICENSE_KEY",
    ]);
    const policies = (stack: Synthesized | undefined) =>
      Object.values(stack?.resource.cwp_compliance_policy_set ?? {})[0]?.policies;
    expect(policies(acme)).toEqual([{ name: "No root", checks: { 599: true }, disabled: true }]);
    expect(policies(globex)).toEqual([{ name: "No root", checks: { 599: true } }]);
    expect(acme?.output?.region).toEqual({ value: "eu" });
  });
});

describe("a removed tenant", () => {
  const removed = () =>
    synthesize("tenants.yaml", YAML.replace("name: acme", "name: acme\n    removed: true")).acme;

  test("keeps its providers and the secrets that they use, and nothing else", () => {
    const acme = removed();
    expect(Object.keys(acme?.provider ?? {}).sort()).toEqual(["cwp", "null"]);
    expect(Object.keys(acme?.variable ?? {})).toEqual(["ACME_PASSWORD"]);
    expect(acme?.resource).toBeUndefined();
    expect(acme?.output).toBeUndefined();
  });

  test("leaves the other tenants as they are", () => {
    const { globex } = synthesize("tenants.yaml", YAML);
    const left = synthesize(
      "tenants.yaml",
      `${YAML}    removed: false\n  - { name: gone, url: u, removed: true }`,
    );
    expect(left.globex).toEqual(globex);
    expect(Object.keys(left)).toEqual(["acme", "globex", "gone"]);
  });
});

describe("errors", () => {
  test("are reported together, each at its line, in YAML", () => {
    const text = `tenants:
  - name: acme
    url: https://acme.example.com
    removd: true
    settings:
      policies:
        policies:
          - name: No root
            checks:
              "599": "yes"
  - url: https://bc.example.com
    name: b c
  - name: Acme
    url: https://acme.example.com/
    secrets:
      password: hunter2!
`;
    expect(problems("tenants.yaml", text)).toEqual([
      "tenants.yaml has 6 errors:",
      'tenants.yaml:4: removd is unknown; did you mean "removed"?',
      'tenants.yaml:10: settings.policies.policies[0].checks["599"] must be true or false',
      'tenants.yaml:12: name must consist of letters, digits, "_", "-" and "."',
      'tenants.yaml:13: name "Acme" is the name of the tenant in line 2; each tenant needs its own',
      'tenants.yaml:14: url "https://acme.example.com/" is the console of the tenant in line 2; each tenant needs its own',
      "tenants.yaml:16: secrets.password must be the name of an environment variable: letters, digits and underscores, and no digit first",
    ]);
  });

  test.each(["__proto__", "hasOwnProperty"])("name the row that is called %s", (name) => {
    expect(problems("tenants.csv", `name,url\nacme,https://a\n${name},https://b\n`)).toEqual([
      "tenants.csv has an error:",
      "tenants.csv:3: name is one that constructs cannot have; choose another",
    ]);
  });

  test.each([
    ["tenants.csv", "name,url\nacme,https://a\n\nACME,https://a/\n"],
    [
      "tenants.json",
      '[\n{ "name": "acme", "url": "https://a" },\n\n{ "name": "ACME",\n"url": "https://a/" }]',
    ],
  ])("name the first of two rows with one stack or one console in %s", (name, text) => {
    expect(problems(name, text)).toEqual([
      `${name} has 2 errors:`,
      `${name}:4: name "ACME" is the name of the tenant in line 2; each tenant needs its own`,
      `${name}:${name.endsWith("csv") ? 4 : 5}: url "https://a/" is the console of the tenant in line 2; each tenant needs its own`,
    ]);
  });

  test.each([
    ["a.yaml", "tenants:\n  - name: a\n  url: [", /^a\.yaml:3: /],
    [
      "a.json",
      '[\n  { "name": "a", }\n]',
      /^a\.json:2: the file is not valid JSON from column 18 on; correct it there$/,
    ],
    [
      "a.json",
      '[\n  { "name": "a" }\n',
      /^a\.json:3: the file ends before its JSON is complete; correct it there$/,
    ],
    [
      "a.json",
      '[{ "name": "a",\n"name": "b", "url": "u" }]',
      /^a\.json:2: the name "name" is there twice; remove one of the two/,
    ],
    ["a.yaml", "tenant: []", /^a\.yaml:1: "tenant" is unknown; the members of the file are/],
    ["a.yaml", "tenants: 7", /^a\.yaml:1: the file must be a list of tenants/],
    ["a.csv", 'name,url\na,"b', /^a\.csv:2: the quotes do not fit; put a cell/],
    [
      "a.csv",
      "name,url\na,u,x",
      /^a\.csv:2: the row has 3 cells, and the first line has 2 columns; leave a cell empty for a value that is not set$/,
    ],
    ["a.csv", "name;url\na;u", /^a\.csv:1: the columns must be separated by commas$/],
    [
      "a.csv",
      "name,url,name\na,u,x",
      /^a\.csv:1: there are two columns "name"; rename or remove one$/,
    ],
    [
      "a.csv",
      "name,url,labels,labels.ring\na,u,x,y",
      /^a\.csv:1: the columns "labels" and "labels.ring" exclude/,
    ],
    ["a.csv", "name,url,removed\na,u,maybe", /^a\.csv:2: removed must be true or false$/],
    [
      "a.csv",
      'name,url,values.note,colour\na,u,"two\nlines",red',
      /^a\.csv:1: the column "colour" is unknown; remove it, or move it into values$/,
    ],
    ["a.csv", "", /^a\.csv: the file is empty/],
    ["a.csv", "name,url\n", /^a\.csv:1: the file has no tenant; add a row/],
    ["a.csv", "name,url,labels.\na,u,x", /^a\.csv:1: .*"labels\.", is not complete; complete/],
    ["a.csv", "Name,URL\na,u", /^a\.csv:1: the column "URL" is unknown; did you mean "url"\?$/],
    ["a.csv", "name,url,password\na,u,x", /"password" is unknown; .* with Secret\.fromEnv$/],
    ["a.toml", "", /^a\.toml: the name of a file of tenants must end with/],
  ])("in %s: %j", (name, text, expected) => {
    expect(problems(name, text)).toContainEqual(expect.stringMatching(expected));
  });

  test("of a file that is missing name it", () => {
    expect(
      refusal(() => synthApp((app) => TenantFleet.fromFile(app, "no/tenants.csv", build))),
    ).toMatch(/^tenants.csv has an error:\n {2}no\/tenants.csv: .*no such file/i);
  });

  test("of the function that builds the stacks are at the line of the row, once for all rows", () => {
    const bad = () => {
      throw new Error("boom");
    };
    expect(problems("tenants.yaml", YAML, bad)).toEqual([
      "tenants.yaml has an error:",
      "tenants.yaml:3: boom (and in 1 more rows)",
    ]);
  });

  test("of a secret that the row does not name are at the line of the row", () => {
    const bad: BuildTenant = (_, tenant) => tenant.secret("vault");
    expect(problems("tenants.yaml", YAML, bad)[1]).toBe(
      'tenants.yaml:3: The row names no variable for the secret "vault". (and in 1 more rows)',
    );
  });

  test("of constructs in all rows name the rows", () => {
    const text = YAML.replace("disabled: true", 'disabled: true, checks: { "x": true }').replace(
      "  - name: globex\n    url: https://globex.example.com:8083\n",
      "",
    );
    expect(
      findings(() => synthesize("tenants.yaml", text))
        .join("\n")
        .replaceAll(`${folder}/`, ""),
    ).toMatch(/^\[acme\/tenant\/policies\] tenants\.yaml:3: policies\[0\]\.checks/);
  });

  test("of the program stop all, also if one row brings them up", () => {
    const bad: BuildTenant = (_, { name, values }) => {
      if (name === "globex") String(values.region).at(0)?.repeat(-1);
      if (name === "acme") (values as { missing?: string[] }).missing!.push("x");
    };
    expect(problems("tenants.yaml", YAML, bad)[1]).toMatch(/^tenants\.yaml:3: Cannot read prop/);
  });
});

describe("a row with an error", () => {
  /** The errors that the stack has in place of its content. */
  const excluded = (stacks: Record<string, Synthesized>, name: string) => {
    const { provider, resource, variable, output } = stacks[name]!;
    expect({ provider, resource, variable }).toEqual({});
    const { precondition } = output!.row as { precondition: Record<string, string> };
    expect(precondition.condition).toBe("${local.row_is_valid}");
    return precondition.error_message?.replaceAll(`${folder}/`, "");
  };

  test.each([
    ["values: { region: eu }", "removed: perhaps", "7: removed must be true or false"],
    ["values: { region: eu }", "policiesFile: none.json", "7: policiesFile: "],
    ["ACME_PASSWORD", "not-a-name", "6: secrets.password must be the name of an environment"],
    ["{ name: No root, disabled: true }", '{ name: "" }', "3: policies[0].name: "],
    ["https://acme.example.com:8083", "htps//acme", "3: baseUrl: Invalid attribute value. The"],
    ["values: { region: eu }", "previousUrls: b?c=d", "3: previousBaseUrls[0]: "],
  ])("%s as %s excludes its tenant only", (was, is, expected) => {
    const stacks = synthesize("tenants.yaml", YAML.replace(was, is));
    expect(excluded(stacks, "acme")).toContain(`tenants.yaml:${expected}`);
    expect(stacks.globex).toEqual(synthesize("tenants.yaml", YAML).globex);
  });

  test("that a construct finds, or the program refuses, excludes its tenant only", () => {
    const bad = YAML.replace("disabled: true", 'checks: { "x${": true }');
    const found = synthesize("tenants.yaml", bad);
    expect(excluded(found, "acme")).toMatch(/^tenants\.yaml:3: policies\[0\]\.checks.*\$\$\{/);
    expect(found.globex?.resource.cwp_compliance_policy_set).toBeDefined();
    const refused = synthesize("tenants.yaml", YAML, (stack, tenant) => {
      build(stack, tenant);
      if (tenant.values.region === "eu") throw new Error("has no place in eu");
    });
    expect(excluded(refused, "acme")).toBe("tenants.yaml:3: has no place in eu");
    expect(refused.globex?.resource.cwp_compliance_policy_set).toBeDefined();
  });
});

test("anchors and merge keys of YAML work in hundreds of rows", () => {
  const rows = Array.from(
    { length: 300 },
    (_, at) => `  - { <<: *common, name: t${at}, url: u${at} }`,
  );
  const text = `tenants:\n  - &common { name: first, url: u, labels: { ring: &ring late } }\n${rows.join("\n")}`;
  const names: string[] = [];
  synthesize("tenants.yaml", text, (_, tenant) => {
    names.push(`${tenant.name} ${tenant.labels.ring}`);
  });
  expect(names).toHaveLength(301);
  expect(names[300]).toBe("t299 late");
});
