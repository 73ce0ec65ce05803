import { RELEASES, type Release } from "../../../src/api/release";
import { UNKNOWN, type ObjectValue } from "../../../src/core/values";
import { ready, type Simulated } from "../support/consoles";
import { Engine, errorsOf, summaries } from "../support/engine";

const TYPE = "cwp_serverless_scan";
const scope = (id: string, more: ObjectValue = {}): ObjectValue => ({ credential_id: id, ...more });
const scopesOf = ({ console }: Simulated) => console.collection("serverlessScan");
const before = RELEASES.filter((release) => release !== "next");

test.each(RELEASES)(
  "release %s: writes by its method, then has nothing to change",
  async (release) => {
    const simulated = await ready({ release });
    const { connection, writes } = simulated;
    const config = { scopes: [scope("c", { provider: "aws", cap: 5, enabled: false })] };
    const engine = await new Engine(connection, TYPE).applied(config);
    expect(scopesOf(simulated)).toEqual([
      {
        ...(release === "next" ? { credentialIDs: ["c"] } : { credentialID: "c" }),
        provider: "aws",
        cap: 5,
        // Said even though it is false.
        enabled: false,
      },
    ]);
    const method = release === "next" ? "PUT" : "POST";
    expect(writes()).toEqual([`${method} /api/v1/settings/serverless-scan`]);
    expect(await engine.isConverged(config)).toBe(true);
  },
);

describe("credentials", () => {
  test("accepts several in the next release, in any order", async () => {
    const simulated = await ready({ release: "next" });
    const config = (ids: string[]) => ({ scopes: [{ credential_ids: ids }] });
    const engine = await new Engine(simulated.connection, TYPE).applied(config(["b", "a"]));
    await simulated.console.load({ serverlessScan: [{ credentialIDs: ["b", "a"], theirs: 1 }] });
    expect(await engine.isConverged(config(["a", "b"]))).toBe(true);
    await engine.applied({ scopes: [{ credential_ids: ["a", "b"], cap: 3 }] });
    expect(scopesOf(simulated)).toEqual([{ credentialIDs: ["b", "a"], theirs: 1, cap: 3 }]);
  });

  test.each(before)("refuses several in release %s", async (release) => {
    const { connection } = await ready({ release });
    const engine = new Engine(connection, TYPE);
    const [found, ...others] = engine.validate({ scopes: [{ credential_ids: ["a", "b"] }] });
    expect(found).toMatchObject({
      severity: "error",
      summary: "Several credentials",
      path: ["scopes", 0, "credential_ids"],
    });
    expect(found?.detail).toContain("9.3.3");
    expect(others).toEqual([]);
  });

  test("accepts a list of one in every release", async () => {
    const simulated = await ready({ release: "20.09" });
    const config = { scopes: [{ credential_ids: ["a"] }] };
    const engine = await new Engine(simulated.connection, TYPE).applied(config);
    expect(scopesOf(simulated)).toEqual([{ credentialID: "a" }]);
    expect(await engine.isConverged(config)).toBe(true);
  });

  test("refuses both attributes", async () => {
    const { connection } = await ready({ release: "next" });
    const config = { scopes: [{ credential_id: "a", credential_ids: ["a"] }] };
    expect(summaries(new Engine(connection, TYPE).validate(config))).toEqual([
      "Invalid attribute combination",
    ]);
  });

  test("keeps an inline credential in 20.04", async () => {
    const simulated = await ready({ release: "20.04" });
    const inline = { provider: "aws", credential: { type: "aws", secret: { plain: "canary" } } };
    await simulated.console.edit({ serverlessScan: [inline] });
    const sealed = scopesOf(simulated)[0]?.credential;
    expect(JSON.stringify(sealed)).toContain('"encrypted":"');
    const engine = new Engine(simulated.connection, TYPE);
    await engine.import("serverless-scan");
    await engine.applied({ scopes: [{ provider: "aws", cap: 7 }, scope("c")] });
    expect(scopesOf(simulated)).toEqual([
      { provider: "aws", credential: sealed, cap: 7 },
      { credentialID: "c" },
    ]);
    // Neither a state file nor a plan has it.
    expect(JSON.stringify([engine.seen, engine.stored])).not.toContain("encrypted");
  });

  test.each(["20.09", "20.12", "next"] as const)(
    "sends no inline credential to %s",
    async (release) => {
      const { connection, console, sent } = await ready({ release });
      await console.load({ serverlessScan: [{ provider: "aws", credential: { type: "aws" } }] });
      const engine = new Engine(connection, TYPE);
      await engine.import("serverless-scan");
      await engine.applied({ scopes: [{ provider: "aws", cap: 7 }] });
      const write = sent.find(({ path, body }) => path.endsWith("serverless-scan") && body);
      expect(write?.body).toBe('[{"provider":"aws","cap":7}]');
    },
  );

  test("refuses an inline credential in extra_json", async () => {
    const { connection } = await ready({ release: "20.04" });
    const config = { scopes: [{ extra_json: '{"credential":{"secret":{"plain":"x"}}}' }] };
    const [found] = new Engine(connection, TYPE).validate(config);
    expect(found?.detail).toContain('The member "credential" has its own attribute');
  });
});

describe("inline credentials", () => {
  const aws = { type: "aws", account_id: "AKIA1", secret: "canary-one" };
  const other = { ...aws, account_id: "AKIA2", secret: "canary-two" };
  const inline = (...credentials: ObjectValue[]) => ({
    scopes: credentials.map((credential) => ({ credential, provider: "aws" })),
  });
  const bodies = ({ sent }: Simulated) =>
    sent.flatMap(({ method, body = "" }) => (method === "POST" && body ? [body] : []));

  test("sends the secrets to 20.04 once, then sends back the encrypted ones", async () => {
    const simulated = await ready({ release: "20.04" });
    const engine = await new Engine(simulated.connection, TYPE).applied(inline(aws, other));
    expect(bodies(simulated).at(-1)).toContain('"plain":"canary-two"');
    const sealed = scopesOf(simulated).map(({ credential }) => credential);
    expect(sealed).toMatchObject([{ accountID: "AKIA1" }, { accountID: "AKIA2" }]);
    expect(await engine.isConverged(inline(aws, other))).toBe(true);

    const { scopes } = inline(aws, other);
    await engine.applied({ scopes: scopes.map((one) => ({ ...one, cap: 3 })) });
    expect(bodies(simulated).at(-1)).not.toContain("canary");
    expect(scopesOf(simulated).map(({ credential }) => credential)).toEqual(sealed);
  });

  test("sends a new secret", async () => {
    const simulated = await ready({ release: "20.04" });
    const engine = await new Engine(simulated.connection, TYPE).applied(inline(aws));
    const rotated = inline({ ...aws, secret: "canary-rotated" });
    expect(await engine.isConverged(rotated)).toBe(false);
    await engine.applied(rotated);
    expect(bodies(simulated).at(-1)).toContain('"plain":"canary-rotated"');
    expect(await engine.isConverged(rotated)).toBe(true);
  });

  test("treats another account as another scope", async () => {
    const simulated = await ready({ release: "20.04" });
    const engine = await new Engine(simulated.connection, TYPE).applied(inline(aws));
    await engine.applied(inline(other));
    expect(bodies(simulated).at(-1)).toContain('"plain":"canary-two"');
    expect(scopesOf(simulated)).toMatchObject([{ credential: { accountID: "AKIA2" } }]);
  });

  test.each<[string, ObjectValue, ObjectValue]>([
    ["to a stored one", { credential: aws }, { credential_id: "stored" }],
    ["to an inline one", { credential_id: "stored" }, { credential: aws }],
  ])("changes the kind %s", async (_, from, to) => {
    const simulated = await ready({ release: "20.04" });
    const engine = await new Engine(simulated.connection, TYPE).applied({ scopes: [from] });
    await engine.applied({ scopes: [to] });
    expect(await engine.isConverged({ scopes: [to] })).toBe(true);
    const [found = {}] = scopesOf(simulated);
    expect("credential" in found && "credentialID" in found).toBe(false);
  });

  test("has no secrets in state, private state, plan or diagnostic", async () => {
    const { connection } = await ready({ release: "20.04" });
    const engine = await new Engine(connection, TYPE).applied(inline(aws, other));
    await engine.refresh();
    const twin = new Engine(connection, TYPE);
    await twin.import("serverless-scan");
    await engine.applied(inline(other));
    await engine.apply(null);
    const shown = JSON.stringify([engine.seen, twin.seen]);
    expect(shown).toContain("AKIA1");
    expect(shown).not.toContain("canary");
    expect(shown).not.toContain("encrypted");
  });

  test("warns in 20.04; refuses both kinds and duplicate accounts", async () => {
    const { connection } = await ready({ release: "20.04" });
    const engine = new Engine(connection, TYPE);
    const { diagnostics } = await engine.plan(inline(aws));
    expect(summaries(diagnostics)).toEqual([
      "Inline credentials: refused from release 20.09 on (section 9.1.2)",
    ]);
    const both = { scopes: [{ credential: aws, credential_id: "stored" }] };
    expect(summaries(errorsOf(engine.validate(both)))).toEqual(["Two credentials"]);
    const twice = engine.validate(inline(aws, { ...aws, secret: "canary-two" }));
    expect(summaries(errorsOf(twice))).toEqual(["Duplicate scope"]);
    const unknown = inline({ ...aws, account_id: UNKNOWN }, { ...aws, secret: UNKNOWN });
    expect(errorsOf(engine.validate(unknown))).toEqual([]);
  });

  test.each(RELEASES.filter((release) => release !== "20.04"))(
    "refuses them in release %s",
    async (release) => {
      const { connection, writes } = await ready({ release });
      const found = errorsOf((await new Engine(connection, TYPE).plan(inline(aws))).diagnostics);
      expect(found).toMatchObject([{ path: ["scopes", 0, "credential"] }]);
      expect(found[0]?.summary).toContain("(section 9.1.2)");
      expect(writes()).toEqual([]);
    },
  );
});

describe("region and pattern", () => {
  const config = { scopes: [scope("c", { region: "eu-west-1", pattern: "orders-*" })] };

  test.each(before)("accepts them in release %s, with a warning", async (release) => {
    const simulated = await ready({ release });
    const engine = await new Engine(simulated.connection, TYPE).applied(config);
    expect(scopesOf(simulated)).toEqual([
      { credentialID: "c", region: "eu-west-1", pattern: "orders-*" },
    ]);
    await engine.refresh();
    const { planned, diagnostics } = await engine.plan(config);
    expect(planned).toEqual(engine.state);
    expect(diagnostics).toMatchObject([
      {
        severity: "warning",
        summary: "Region and pattern: refused from the next release on (section 9.3.3)",
        path: ["scopes", 0, "region"],
      },
    ]);
    expect(diagnostics[0]?.detail).toContain("Remove all 2");
  });

  test("refuses each in the next release", async () => {
    const { connection, writes } = await ready({ release: "next" });
    const found = errorsOf((await new Engine(connection, TYPE).plan(config)).diagnostics);
    expect(found.map(({ path }) => path)).toEqual([
      ["scopes", 0, "region"],
      ["scopes", 0, "pattern"],
    ]);
    for (const { summary } of found) expect(summary).toContain("9.3.3");
    expect(writes()).toEqual([]);
  });

  test("ignores empty ones", async () => {
    const simulated = await ready({ release: "next" });
    const empty = { scopes: [scope("c", { region: "", pattern: "" })] };
    const engine = await new Engine(simulated.connection, TYPE).applied(empty);
    expect(scopesOf(simulated)).toEqual([{ credentialIDs: ["c"] }]);
    expect(await engine.isConverged(empty)).toBe(true);
  });

  test("converts scopes of an older release", async () => {
    const simulated = await ready({ release: "next" });
    const left = { credentialID: "c", region: "eu-west-1", theirs: true };
    await simulated.console.load({ serverlessScan: [left] });
    const engine = new Engine(simulated.connection, TYPE);
    // The region is none of this release's, so nothing would be lost.
    await engine.applied({ scopes: [scope("c"), scope("d")] });
    expect(await engine.isConverged({ scopes: [scope("c"), scope("d")] })).toBe(true);
    await engine.applied({ scopes: [scope("c", { cap: 1 })] });
    expect(scopesOf(simulated)).toEqual([{ credentialIDs: ["c"], theirs: true, cap: 1 }]);
    await engine.applied(null);
    expect(scopesOf(simulated)).toEqual([{ credentialIDs: ["c"], theirs: true }]);
  });
});

describe("the identity of a scope", () => {
  const regions = ["eu-west-1", "us-east-1"].map((region) => scope("c", { region }));
  const planned = async (engine: Engine, config: ObjectValue) => {
    await engine.refresh();
    return (await engine.plan(config)).planned;
  };

  test("ignores the console's order; a lost state converges", async () => {
    const { console, connection, writes } = await ready();
    const config = { scopes: [...regions, scope("c"), scope("d", { provider: "gcp" })] };
    await new Engine(connection, TYPE).applied(config);
    await console.load({ serverlessScan: [...console.collection("serverlessScan")].reverse() });
    const engine = await new Engine(connection, TYPE).applied(config);
    expect(await planned(engine, config)).toEqual(engine.state);
    expect(writes()).toHaveLength(1);
  });

  test("reverts drift of the identity, and removes duplicates", async () => {
    const simulated = await ready();
    const { console } = simulated;
    const config = { scopes: [scope("c", { provider: "aws", cap: 1 })] };
    const engine = await new Engine(simulated.connection, TYPE).applied(config);
    const wanted = scopesOf(simulated);
    for (const serverlessScan of [
      [{ credentialID: "c", provider: "gcp", cap: 1 }],
      [...wanted, { credentialID: "c", provider: "aws", cap: 9 }],
    ]) {
      await console.load({ serverlessScan });
      expect(await engine.isConverged(config)).toBe(false);
      await engine.applied(config);
      expect(scopesOf(simulated)).toEqual(wanted);
      expect(await engine.isConverged(config)).toBe(true);
    }
  });

  test.each<[string, Release, ObjectValue, ObjectValue]>([
    ["all equal", "20.12", scope("c", { provider: "aws" }), scope("c", { provider: "aws" })],
    ["unset and empty", "20.12", scope("c", { provider: "" }), scope("c")],
    ["one ID, either way", "20.12", scope("c"), { credential_ids: ["c"] }],
    ["nothing set", "next", { cap: 1 }, { cap: 2 }],
  ])("refuses duplicates: %s", async (_, release, one, other) => {
    const { connection } = await ready({ release });
    const found = new Engine(connection, TYPE).validate({ scopes: [one, other] });
    expect(summaries(found)).toEqual(["Duplicate scope"]);
    expect(found[0]?.path).toEqual(["scopes", 1]);
  });

  test.each<[ObjectValue, ObjectValue]>([
    [scope("c", { provider: "a b" }), scope("c a", { provider: "b" })],
    [scope("c", { provider: "x", region: "" }), scope("c", { provider: "", region: "x" })],
    [scope("c", { provider: UNKNOWN }), scope("c", { provider: UNKNOWN })],
  ])("distinguishes %j and %j", async (one, other) => {
    const { connection } = await ready();
    expect(errorsOf(new Engine(connection, TYPE).validate({ scopes: [one, other] }))).toEqual([]);
  });

  test("refuses unmanaged scopes, naming each", async () => {
    const { console, connection, writes } = await ready();
    await console.edit({
      serverlessScan: [
        { credentialID: "theirs", provider: "aws", region: "eu" },
        { credentialId: "c", cap: 9 },
      ],
    });
    const config = { scopes: [scope("c", { cap: 1 })] };
    const { diagnostics } = await new Engine(connection, TYPE).plan(config);
    const detail = diagnostics[0]?.detail;
    expect(detail).toContain('"credentials=theirs provider=aws region=eu" would be removed');
    expect(detail).toContain('"credentials=c" would be overwritten');
    expect(writes()).toEqual([]);
  });
});

test("sets members without an attribute by extra_json only", async () => {
  const simulated = await ready();
  const config = (text: string) => ({ scopes: [scope("c", { extra_json: text })] });
  const engine = await new Engine(simulated.connection, TYPE).applied(
    config('{"scanLayers":true}'),
  );
  expect(scopesOf(simulated)).toEqual([{ credentialID: "c", scanLayers: true }]);
  expect(await engine.isConverged(config(' {"scanLayers" : true}'))).toBe(true);
  for (const member of ["credentialIDs", "region", "cap"]) {
    const found = engine.validate(config(`{"${member}":null}`));
    expect(found[0]?.detail).toContain(`"${member}" has its own attribute`);
  }
});

test("restores the found scopes, including unknown members", async () => {
  const simulated = await ready();
  const found = [{ credentialId: "c", x: { y: [1] } }];
  await simulated.console.load({ serverlessScan: found });
  const engine = new Engine(simulated.connection, TYPE);
  await engine.applied({ scopes: [scope("c"), scope("d")] });
  expect(scopesOf(simulated)[0]).toEqual(found[0]);
  await engine.applied({ scopes: [scope("c", { provider: "aws" }), scope("d")] });
  await engine.applied(null);
  expect(scopesOf(simulated)).toEqual(found);
});

test("imports all scopes, including several credentials", async () => {
  const { console, connection } = await ready({ release: "next" });
  await console.load({ serverlessScan: [{ credentialIDs: ["b", "a"] }, { credentialIDs: ["c"] }] });
  const engine = new Engine(connection, TYPE);
  expect(await engine.import("serverless-scan")).toEqual([]);
  const config = { scopes: [scope("c"), { credential_ids: ["a", "b"] }] };
  await engine.applied(config);
  expect(await engine.isConverged(config)).toBe(true);
});
