import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeStacks } from "../cli/stack-files";
import {
  startSecondConsole,
  type SecondConsole,
  type SecondConsoleOptions,
} from "../second-console";
import { slice } from "../support/cases";
import { describeWithTerraform } from "../support/terraform";
import { startCli } from "./support/bundle";

jest.setTimeout(600_000);

/* Stacks that people describe in public, on a console with the habits of theirs, under both engines. */

let served: SecondConsole | undefined;
afterEach(() => served?.close());

type Resources = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** A console, and runs of the commands in a folder with one stack. */
async function open(options: SecondConsoleOptions, resource: Resources, provider: object = {}) {
  const console_ = (served = await startSecondConsole(options));
  const folder = temporaryFolder();
  const write = (resources: Resources, output: object = {}) => {
    writeStacks(folder, {
      app: { provider: { cwp: [provider] }, resource: resources, output },
    });
  };
  write(resource);
  const run = (engine: string, words: string) =>
    startCli(
      [
        ...words.split(" "),
        ...["--out-dir", "cdktf.out", "--engine", engine],
        ...(engine === "terraform" ? ["--with-null"] : []),
      ],
      {
        cwd: folder,
        environment: { ...console_.environment, TF_CLI_CONFIG_FILE: "/dev/null" },
      },
    ).ended;
  return { console_, folder, write, run };
}

const registry = {
  ...{ version: "harbor", registry: "harbor.example.com", repository: "proj/*", tag: "*" },
  ...{ credential_id: "hb", collections: ["shop"], harbor_deployment_security: true },
  excluded_tags: ["*-dev"],
};
const vuln = { id: "CVE-2021-44228", packageName: "*", resourceType: "image", resources: ["*"] };
const collections = Array.from({ length: 6 }, (_, index) => [
  `acc${index}`,
  { kind: "collection", body: { name: `dev - ${index}`, accountIDs: [`${index}`] } },
]);

interface Case {
  readonly options?: SecondConsoleOptions;
  readonly provider?: object;
  readonly resource: Resources;
  /** The project, and its content after the apply. */
  readonly project?: string;
  readonly lists?: Readonly<Record<string, readonly object[]>>;
  readonly documents?: Readonly<Record<string, object>>;
  readonly policies?: Readonly<Record<string, object>>;
}

const CASES: Readonly<Record<string, Case>> = {
  "tag-vulns": {
    resource: {
      cwp_object: {
        tag: { path: "tags", unlisted: true, body: { name: "accepted", vulns: [vuln] } },
      },
    },
    lists: { tags: [{ name: "accepted", vulns: [vuln] }] },
  },
  "registry-collections": {
    resource: { cwp_registry_scan: { r: { ownership: "shared", specifications: [registry] } } },
    documents: {
      "settings/registry": {
        specifications: [
          {
            registry: "harbor.example.com",
            excludedTags: ["*-dev"],
            harborDeploymentSecurity: true,
          },
        ],
      },
    },
  },
  "san-append": {
    resource: {
      cwp_list: {
        san: {
          ...{ path: "settings/certs", unlisted: true, method: "POST", member: "consoleSAN" },
          ...{ order: "none", ownership: "shared", entries: ["console.example.org"] },
        },
      },
    },
    documents: { "settings/certs": { consoleSAN: ["127.0.0.1", "console.example.org"] } },
  },
  "rate-limit-429": {
    options: { writes: { perMinute: 300 } },
    resource: { cwp_object: Object.fromEntries(collections) as Record<string, object> },
    lists: { collections: [{ name: "dev - 0" }, { name: "dev - 5" }] },
  },
  "tenant-projects": {
    options: { projects: ["ABC"] },
    provider: { project: "ABC" },
    resource: {
      cwp_object: { col: { kind: "collection", body: { name: "shop", images: ["*shop*"] } } },
    },
    project: "ABC",
    lists: { collections: [{ name: "shop" }] },
  },
  "rules without a number, and members beside a list": {
    resource: {
      cwp_object: {
        rule: { kind: "custom_rule", body: { name: "no shells", script: "proc.name" } },
      },
      cwp_setting: {
        learning: { path: "policies/runtime/container", body: { learningDisabled: true } },
      },
      cwp_list: {
        runtime: {
          kind: "container_runtime_policy",
          entries: [{ name: "web", collections: [{ name: "All" }] }],
        },
      },
    },
    lists: { "policies/runtime/custom-rules": [{ _id: 1, name: "no shells" }] },
    policies: {
      "policies/runtime/container": { learningDisabled: true, rules: [{ name: "web" }] },
    },
  },
};

/** With LONG_TESTS both; the rows of cases take them in turn. */
const ENGINES = slice(["embedded", "terraform"], 2);

describeWithTerraform("stacks for consoles in the field", () => {
  const rows = Object.entries(CASES).flatMap(([name, one]) =>
    ["embedded", "terraform"].map((engine) => ({ name, engine, ...one })),
  );
  // An odd step takes the engines in turn.
  test.each(slice(rows, 3))(
    "$name is applied, planned empty and destroyed by $engine",
    async ({ engine, options = {}, provider, resource, project, lists, documents, policies }) => {
      const { console_, run } = await open(options, resource, provider);
      const before = structuredClone(console_.content(project));
      expect(await run(engine, "apply --auto-approve")).toMatchObject({ code: 0, err: "" });
      const content = console_.content(project);
      for (const [path, items] of Object.entries(lists ?? {})) {
        for (const item of items) {
          expect(content.lists[path]).toContainEqual(expect.objectContaining(item));
        }
      }
      expect(content).toMatchObject({ documents: documents ?? {}, policies: policies ?? {} });
      expect(await run(engine, "plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
      expect(await run(engine, "destroy --auto-approve")).toMatchObject({ code: 0 });
      const left = console_.content(project);
      expect(left.documents).toEqual(before.documents);
      expect(Object.values(left.lists).flat()).toEqual(Object.values(before.lists).flat());
    },
  );

  test.each(ENGINES)(
    "license-expiry is an output of %s, without the access token",
    async (engine) => {
      const { run, folder } = await open({}, {});
      writeStacks(folder, {
        app: {
          provider: { cwp: [{}] },
          data: { cwp_license: { now: {} } },
          output: { expires: { value: "${data.cwp_license.now.expires_at}" } },
        },
      });
      const applied = await run(engine, "apply --auto-approve");
      expect(applied).toMatchObject({ code: 0, err: "" });
      expect(applied.out).toContain('expires = "2030-01-01T00:00:00.000Z"');
      expect(applied.out).not.toContain("tok-very-secret");
    },
  );

  test.each(ENGINES)("contract-by-collection is met, as planned by %s", async (engine) => {
    const { run, folder } = await open(
      {},
      {
        cwp_compliance_policy_set: {
          all: { policies: [{ name: "root", collections: ["All"], checks: { 599: true } }] },
        },
      },
    );
    writeFileSync(
      join(folder, "protection.yaml"),
      "version: 1\nrequire:\n  - name: no root\n    where: { namespaces: ['prod*'] }\n    checks: { 599: block }\n",
    );
    const planned = await run(engine, "plan");
    expect(planned).toMatchObject({ code: 0, err: "" });
    expect(planned.out).toContain("Plan: 1 to add");
  });

  test.each(ENGINES)("an object that a failed create left is replaced by %s", async (engine) => {
    let changes = true;
    const { console_, run } = await open(
      {
        intercept: ({ method, path, body }, { lists }) => {
          if (!changes || method !== "POST" || path !== "collections") return undefined;
          const sent = JSON.parse(body) as { readonly name: string };
          (lists.collections ??= []).push({ ...sent, images: ["changed"] });
          return { status: 200 };
        },
      },
      { cwp_object: { c: { kind: "collection", body: { name: "pay", images: ["pay/*"] } } } },
    );
    const failed = await run(engine, "apply --auto-approve");
    expect(failed.code).toBe(1);
    expect(failed.err).toContain("Console changed the");
    changes = false;
    const planned = await run(engine, "plan");
    expect(planned).toMatchObject({ code: 0, err: "" });
    expect(planned.out).toContain("cwp_object.c is tainted, so must be replaced");
    expect(await run(engine, "apply --auto-approve")).toMatchObject({ code: 0, err: "" });
    expect(console_.content().lists.collections).toContainEqual(
      expect.objectContaining({ name: "pay", images: ["pay/*"] }),
    );
    expect(await run(engine, "plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });

  test.each(ENGINES)("a tainted object is destroyed by %s", async (engine) => {
    const { console_, run } = await open(
      {
        intercept: ({ method, path, body }, { lists }) => {
          if (method !== "POST" || path !== "collections") return undefined;
          const sent = JSON.parse(body) as { readonly name: string };
          (lists.collections ??= []).push({ ...sent, images: ["changed"] });
          return { status: 200 };
        },
      },
      { cwp_object: { c: { kind: "collection", body: { name: "pay", images: ["pay/*"] } } } },
    );
    expect((await run(engine, "apply --auto-approve")).code).toBe(1);
    expect(await run(engine, "destroy --auto-approve")).toMatchObject({ code: 0, err: "" });
    expect(console_.content().lists.collections).toHaveLength(1);
  });
});
