import { catalogue } from "../../src/api/catalogue/catalogue";
import { routesOf } from "../../src/api/endpoints";
import { RELEASES } from "../../src/api/release";
import { parseFault, startSimulator, type SimulatorOptions } from "../../src/simulator";
import { targetProblem } from "../../src/simulator/fault-targets";

/** Starts a simulator with a fault; resolves to the reason of a refusal. */
async function refusal(target: string, options: SimulatorOptions = {}): Promise<string> {
  try {
    const simulator = await startSimulator({ ...options, faults: [{ target, delay: 1 }] });
    await simulator.close();
    return "";
  } catch (failure) {
    expect(failure).toMatchObject({ name: "SimulatorError", code: "bad-fault" });
    return String(failure);
  }
}

test.each([
  ["PUT /api/v1/polices/compliance", 'Did you mean "PUT /api/v1/policies/compliance'],
  ["DELETE /api/v1/images", 'Did you mean "GET /api/v1/images"?'],
  ["GET /api/v1/images?limit=1", 'Did you mean "GET /api/v1/images"?'],
  ["POST /somewhere/that/is/far", "METHOD and the beginning of a path without query."],
])("refuses a fault of %s, which no console answers", async (target, reason) => {
  expect(await refusal(target)).toContain(`No request of release 20.12 matches "${target}"`);
  expect(await refusal(target)).toContain(reason);
});

test("refuses a fault of an endpoint that the release lacks", async () => {
  expect(await refusal("downloadComplianceStats")).toContain("It is an endpoint of release next.");
  expect(await refusal("downloadComplianceStats", { release: "next" })).toBe("");
});

test("accepts each path with parameters, and any path with any", async () => {
  expect(await refusal("POST /api/v1/profiles/service/one/learn")).toBe("");
  expect(await refusal("POST /api/v1/profiles/service/one/forget")).toContain("matches");
  const any = () => undefined;
  expect(await refusal("PUT /api/v1/brand/new", { any })).toBe("");
  expect(await refusal("PUT /api/v2/brand/new", { any })).toContain("matches");
});

test.each(RELEASES)("accepts each endpoint of release %s", (release) => {
  for (const { name, method, path } of routesOf(release)) {
    expect(targetProblem(name, release, false)).toBeUndefined();
    expect(targetProblem(`${method} ${path}`, release, false)).toBeUndefined();
  }
});

test("accepts each path of the catalogue", () => {
  for (const { path } of catalogue().values()) {
    expect(targetProblem(`GET /api/v1/${path}`, "20.04", false)).toBeUndefined();
  }
});

test("accepts the examples of the syntax", async () => {
  for (const target of ["*", "GET /api/v1/settings", "GET /api", "PUT /api/v1/policies"]) {
    expect(parseFault(`${target}:delay=1`).target).toBe(target);
    expect(await refusal(target)).toBe("");
  }
});
