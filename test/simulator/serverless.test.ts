import { endpointFor, type EndpointName } from "../../src/api/endpoints";
import { RELEASES, type Release } from "../../src/api/release";
import { Console } from "../../src/simulator";
import { ADMIN, ask, ready } from "./ask";

async function started(release: Release) {
  const console = await ready(new Console({ release }));
  return (name: EndpointName, body?: unknown) => {
    const { method, path } = endpointFor(name, release)!;
    return ask(console, `${method} ${path}`, { as: ADMIN, body });
  };
}

describe.each(RELEASES)("serverless settings of release %s", (release) => {
  const id = release === "next" ? { credentialIDs: ["a", "b"] } : { credentialID: "a" };
  const scope = { ...id, provider: "aws", cap: 5, enabled: true, further: { x: [1] } };

  test("stores the last write of scan scopes", async () => {
    const call = await started(release);
    expect((await call("getServerlessScan")).text).toBe("[]");
    expect((await call("replaceServerlessScan", [scope, scope])).status).toBe(200);
    await call("replaceServerlessScan", [scope]);
    expect((await call("getServerlessScan")).json).toEqual([scope]);
    await call("replaceServerlessScan", "null");
    expect((await call("getServerlessScan")).text).toBe("[]");
  });

  test("replaces auto-deploy specifications as a whole", async () => {
    const call = await started(release);
    const spec = { name: "one", credentialID: "a", provider: "aws", runtimes: ["nodejs"], x: null };
    expect((await call("getServerlessAutoDeploy")).text).toBe("[]");
    expect((await call("replaceServerlessAutoDeploy", [spec])).status).toBe(200);
    expect((await call("getServerlessAutoDeploy")).json).toEqual([spec]);
  });

  test("refuses other bodies and members of the wrong type", async () => {
    const call = await started(release);
    expect((await call("replaceServerlessScan", scope)).status).toBe(400);
    expect((await call("replaceServerlessScan", [{ ...scope, enabled: "yes" }])).status).toBe(400);
    expect((await call("replaceServerlessAutoDeploy", { specs: [] })).status).toBe(400);
    const wrong = { name: "one", runtimes: "nodejs" };
    expect((await call("replaceServerlessAutoDeploy", [wrong])).status).toBe(400);
  });

  test("accepts inline credentials in 20.04 only and hides their secrets", async () => {
    const call = await started(release);
    const credential = { type: "aws", secret: { plain: "s3cr3t" } };
    const { status } = await call("replaceServerlessScan", [{ provider: "aws", credential }]);
    expect(status).toBe(release === "20.04" ? 200 : 400);
    const { text } = await call("getServerlessScan");
    expect(text).not.toContain("s3cr3t");
    expect(text.includes("encrypted")).toBe(release === "20.04");
  });
});

test("adds a scope by POST in next, without region and pattern", async () => {
  const call = await started("next");
  await call("replaceServerlessScan", [{ provider: "aws" }]);
  expect((await call("addServerlessScanScope", { provider: "gcp" })).status).toBe(200);
  expect((await call("getServerlessScan")).json).toEqual([
    { provider: "aws" },
    { provider: "gcp" },
  ]);
  expect((await call("addServerlessScanScope", [{ provider: "gcp" }])).status).toBe(400);
  for (const gone of [{ region: "eu-west-1" }, { pattern: "*" }]) {
    expect((await call("addServerlessScanScope", gone)).status).toBe(400);
  }
});

test("shows scopes of an older release in the shape of next", async () => {
  const console = await ready(new Console({ release: "next" }));
  await console.load({
    serverlessScan: [
      { provider: "aws", region: "eu-west-1", pattern: "*", credentialID: "c", cap: 5 },
      { provider: "gcp", pattern: "*" },
      { provider: "azure", credentialIDs: ["d", "e"] },
    ],
  });
  const { json } = await ask(console, "GET /api/v1/settings/serverless-scan", { as: ADMIN });
  expect(json).toEqual([
    { credentialIDs: ["c"], provider: "aws", cap: 5 },
    { provider: "gcp" },
    { provider: "azure", credentialIDs: ["d", "e"] },
  ]);
});
