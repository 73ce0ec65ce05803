import { collectItems } from "../../../src/api/areas/list";
import {
  type Deprecation,
  deprecated,
  ENDPOINT_NAMES,
  ENDPOINTS,
} from "../../../src/api/endpoints";
import type { Endpoint } from "../../../src/api/endpoint";
import { EndpointNotInReleaseError } from "../../../src/api/errors";
import { RELEASES } from "../../../src/api/release";
import { scripted } from "../support/scripted-console";

test.each([
  ["20.04", "GET", "/api/v1/policies/runtime/custom-rules"],
  ["20.12", "GET", "/api/v1/policies/runtime/custom-rules"],
  ["next", "GET", "/api/v1/custom-rules"],
] as const)("custom rules of %s", async (release, method, path) => {
  const { client, calls } = scripted(() => ({ body: [{ name: "r" }] }), { release });
  expect(await client.getCustomRules()).toEqual([{ name: "r" }]);
  expect(calls()).toEqual([`${method} ${path}`]);
});

test("lists images page by page with every member", async () => {
  const all = Array.from({ length: 70 }, (_, index) => ({
    _id: `i${index}`,
    binaries: null,
    x: 1,
  }));
  const { client, calls } = scripted(({ path }) => {
    const offset = Number(new URL(path, "https://h").searchParams.get("offset"));
    return { body: all.slice(offset, offset + 50) };
  });
  expect(await collectItems(client.images.list())).toEqual(all);
  expect(calls()).toHaveLength(3);
  expect((await client.images.page({ offset: 60, limit: 50 })).items).toHaveLength(10);
});

describe("adding one item", () => {
  test("adds a registry specification by POST without retries", async () => {
    const { client, requests } = scripted(() => ({ status: 503 }), { maxRetries: 3 });
    const added = client.addRegistrySpecification({ registry: "r", credentialID: "c" });
    await expect(added).rejects.toMatchObject({ status: 503 });
    expect(requests).toMatchObject([
      {
        method: "POST",
        path: "/api/v1/settings/registry",
        body: '{"registry":"r","credentialID":"c"}',
      },
    ]);
  });

  test("adds a serverless scan scope in next only", async () => {
    const next = scripted(() => ({}), { release: "next" });
    await next.client.addServerlessScanScope({ credentialIDs: ["a", "b"], provider: "aws" });
    expect(next.requests).toMatchObject([
      {
        method: "POST",
        path: "/api/v1/settings/serverless-scan",
        body: '{"credentialIDs":["a","b"],"provider":"aws"}',
      },
    ]);
    const current = scripted(() => ({}));
    await expect(current.client.addServerlessScanScope({})).rejects.toThrow(
      EndpointNotInReleaseError,
    );
    expect(current.requests).toEqual([]);
  });
});

test("downloads the compliance checks as CSV in next only", async () => {
  const next = scripted(() => ({ body: "id,title,protected\n41,No root,1\n" }), {
    release: "next",
  });
  expect(await collectItems(next.client.complianceStats.records())).toEqual([
    { id: "41", title: "No root", protected: "1" },
  ]);
  expect(next.calls()).toEqual(["GET /api/v1/stats/compliance/download"]);
  const current = scripted(() => ({}));
  await expect(collectItems(current.client.complianceStats.download())).rejects.toThrow(
    EndpointNotInReleaseError,
  );
});

describe("defender artefacts", () => {
  const request = { consoleAddr: "c.example", privileged: true, port: 8084, proxy: { host: "p" } };

  test("are requested by GET in 20.04, with scalars as query", async () => {
    const { client, requests } = scripted(() => ({ body: "#!" }), { release: "20.04" });
    await collectItems(client.defenders.download("linux_script", { request }));
    expect(requests).toMatchObject([
      {
        method: "GET",
        path: "/api/v1/scripts/defender.sh?consoleAddr=c.example&privileged=true&port=8084",
        headers: { accept: "text/plain" },
      },
    ]);
    expect(requests[0]).not.toHaveProperty("body");
  });

  test.each([
    ["linux_script", "/api/v1/scripts/defender.sh"],
    ["windows_script", "/api/v1/scripts/defender.ps1"],
    ["helm_chart", "/api/v1/defenders/helm/svc-defender-helm.tar.gz"],
    ["daemonset", "/api/v1/defenders/daemonset.yaml"],
  ] as const)(
    "%s is requested by POST from 20.09 on, with the whole object",
    async (kind, path) => {
      for (const release of ["20.09", "20.12", "next"] as const) {
        const { client, requests } = scripted(() => ({ body: "#!" }), { release });
        await collectItems(client.defenders.download(kind, { request }));
        expect(requests).toMatchObject([{ method: "POST", path, body: JSON.stringify(request) }]);
      }
    },
  );

  test("the chart takes the name of the product and no settings", async () => {
    const { client, requests } = scripted(() => ({ body: "#!" }));
    await collectItems(client.defenders.download("helm_chart", { product: "acme" }));
    expect(requests).toMatchObject([
      { path: "/api/v1/defenders/helm/acme-defender-helm.tar.gz", body: "{}" },
    ]);
  });
});

describe("deprecated endpoints (9.2)", () => {
  const names = ENDPOINT_NAMES.filter((name) => {
    const endpoint: Endpoint = ENDPOINTS[name];
    return endpoint.deprecated;
  });

  test.each(RELEASES)("answer in %s, with a warning", async (release) => {
    const reported: Deprecation[] = [];
    const { client, calls } = scripted(() => ({ body: "[]" }), {
      release,
      onDeprecated: (deprecation) => reported.push(deprecation),
    });
    expect(names).toHaveLength(Object.keys(deprecated).length + 1);
    for (const name of names) {
      const { response, warning } = await client.requestWithWarning(name, { params: { id: "7" } });
      expect(response.json()).toEqual([]);
      expect(warning?.since).toBe(release === "20.04" ? undefined : "20.09");
    }
    expect(calls()).toHaveLength(names.length);
    expect(reported).toHaveLength(release === "20.04" ? 0 : names.length);
  });

  test("warn with call, release, section and reason", async () => {
    const { client } = scripted(() => ({ body: "[]" }));
    const { warning } = await client.requestWithWarning("getHighAvailability");
    expect(warning?.message).toBe(
      "GET /api/v1/high-availability is deprecated since release 20.09 (section 9.2): high availability is removed.",
    );
    expect((await client.requestWithWarning("getPolicies")).warning).toBeUndefined();
  });
});

test("installs a license with basic and with bearer authorization", async () => {
  const basic = scripted(() => ({ body: {} }));
  await basic.client.installLicense("k");
  expect(basic.requests[0]?.headers.authorization).toMatch(/^Basic /);
  const bearer = scripted(() => ({ body: {} }), {
    credentials: { method: "static-token", token: "t" },
  });
  await bearer.client.installLicense("k");
  expect(bearer.requests[0]?.headers.authorization).toBe("Bearer t");
});
