import { RELEASES } from "../../../../src/api/release";
import { parseJson } from "../../../../src/core/json/lossless-json";
import { UNKNOWN, valueAt, type ObjectValue } from "../../../../src/core/values";
import { ready, storing } from "../../support/consoles";
import { Engine, errorsOf, summaries } from "../../support/engine";

const TYPE = "cwp_registry_scan";
const PATH = "/api/v1/settings/registry";
const key = { registry: "r", repository: "a", tag: "*" };
const aws = { type: "aws", account_id: "AKIA", secret: "canary-secret" };
const specs = (...list: ObjectValue[]) => ({
  specifications: list.map((one) => ({ ...key, ...one })),
});

/** The bodies of the writes, in order. */
const written = (sent: readonly { method: string; body?: string }[]) =>
  sent.filter(({ method }) => method === "PUT").map(({ body }) => body ?? "");

describe("release 20.04, inline", () => {
  const old = { release: "20.04" } as const;

  test("sends the secret once, then sends back the encrypted one", async () => {
    const { console, connection, sent } = await ready(old);
    const engine = await new Engine(connection, TYPE).applied(specs({ credential: aws }));
    const [first = ""] = written(sent);
    expect(parseJson(first)).toMatchObject({
      specifications: [
        { credential: { type: "aws", accountID: "AKIA", secret: { plain: "canary-secret" } } },
      ],
    });
    const encrypted = () =>
      valueAt(console.collection("registry") as never, [0, "credential", "secret", "encrypted"]);
    const sealed = encrypted();
    expect(sealed).toMatch(/.{20}/);
    expect(await engine.isConverged(specs({ credential: aws }))).toBe(true);

    await engine.applied(specs({ credential: aws, cap: 5 }));
    const second = written(sent)[1] ?? "";
    expect(second).not.toContain("canary");
    expect(second).toContain(JSON.stringify(sealed));
    expect(encrypted()).toBe(sealed);
  });

  test("sends a new secret, detected by its fingerprint", async () => {
    const { connection, sent } = await ready(old);
    const engine = await new Engine(connection, TYPE).applied(specs({ credential: aws }));
    const mark = () =>
      valueAt(engine.state ?? null, ["specifications", 0, "credential", "fingerprint"]);
    const before = mark();
    expect(before).toMatch(/^[0-9a-f]{16}$/);
    const next = specs({ credential: { ...aws, secret: "canary-rotated" } });
    expect(await engine.isConverged(next)).toBe(false);
    await engine.applied(next);
    expect(written(sent)[1]).toContain('"plain":"canary-rotated"');
    expect(mark()).not.toBe(before);
    expect(await engine.isConverged(next)).toBe(true);
  });

  test("sends a new API token", async () => {
    const { connection, sent } = await ready(old);
    const credential = { type: "token", api_token: "canary-token" };
    const engine = await new Engine(connection, TYPE).applied(specs({ credential }));
    expect(written(sent)[0]).toContain('"apiToken":{"plain":"canary-token"}');
    expect(await engine.isConverged(specs({ credential }))).toBe(true);
  });

  test("has no fingerprint of a password", async () => {
    const { connection, sent } = await ready(old);
    const credential = { type: "basic", account_id: "user", secret: "canary-password" };
    const engine = await new Engine(connection, TYPE).applied(specs({ credential }));
    expect(engine.state).toMatchObject({ specifications: [{ credential: { fingerprint: null } }] });
    expect(written(sent)[0]).toContain('"plain":"canary-password"');
    expect(await engine.isConverged(specs({ credential }))).toBe(true);
  });

  test("sends the password of another account", async () => {
    const { connection, sent } = await ready(old);
    const credential = { type: "basic", account_id: "user", secret: "canary-password" };
    const engine = await new Engine(connection, TYPE).applied(specs({ credential }));
    const other = specs({ credential: { ...credential, account_id: "other", secret: "canary-2" } });
    await engine.applied(other);
    expect(written(sent)[1]).toContain('"plain":"canary-2"');
    expect(await engine.isConverged(other)).toBe(true);
  });

  test("plans a change for an unknown secret", async () => {
    const { connection } = await ready(old);
    const { planned } = await new Engine(connection, TYPE).plan(
      specs({ credential: { ...aws, secret: UNKNOWN } }),
    );
    expect(valueAt(planned, ["specifications", 0, "credential", "fingerprint"])).toBe(UNKNOWN);
    expect(valueAt(planned, ["specifications", 0, "credential", "secret"])).toBeNull();
  });

  test("has no secret in state, private state, plan, diagnostic or checkpoint", async () => {
    const { console, connection } = await ready(old);
    const engine = await new Engine(connection, TYPE).applied(specs({ credential: aws }));
    const twin = new Engine(connection, TYPE);
    await twin.import("registry");
    await engine.applied(specs({ credential: { ...aws, secret: "canary-rotated" } }));
    await engine.refresh();
    await engine.apply(null);
    const sealed = JSON.stringify(console.collection("registry"));
    expect(sealed).not.toContain("canary");
    for (const shown of [...engine.seen, ...twin.seen]) {
      expect(JSON.stringify(shown)).not.toContain("canary");
      expect(JSON.stringify(shown)).not.toContain("encrypted");
    }
  });

  test.each<[string, ObjectValue, ObjectValue]>([
    ["to a stored one", { credential: aws }, { credential_id: "stored" }],
    ["to an inline one", { credential_id: "stored" }, { credential: aws }],
  ])("changes the kind %s", async (_, before, after) => {
    const { console, connection } = await ready(old);
    const engine = await new Engine(connection, TYPE).applied(specs(before));
    await engine.applied(specs(after));
    expect(await engine.isConverged(specs(after))).toBe(true);
    const [found] = console.collection("registry");
    expect("credential" in (found ?? {}) && "credentialID" in (found ?? {})).toBe(false);
  });

  test("restores a credential that was removed from the console", async () => {
    const { console, connection, sent } = await ready(old);
    const engine = await new Engine(connection, TYPE).applied(specs({ credential: aws }));
    await console.load({ registry: [key] });
    await engine.applied(specs({ credential: aws }));
    expect(written(sent)[1]).toContain('"plain":"canary-secret"');
    expect(await engine.isConverged(specs({ credential: aws }))).toBe(true);
  });

  test("keeps an unmanaged credential", async () => {
    const { console, connection } = await ready(old);
    const credential = { type: "aws", secret: { plain: "theirs" }, extra: 1 };
    await console.edit({ registry: [{ ...key, repository: "x", credential }] });
    const [before] = console.collection("registry");
    const config = { ownership: "shared", ...specs({ credential: aws }) };
    const engine = await new Engine(connection, TYPE).applied(config);
    await engine.applied(null);
    expect(console.collection("registry")).toMatchObject([before]);
  });

  test("conflicts with another credential, not with the same one", async () => {
    const { console, connection } = await ready(old);
    await console.edit({
      registry: [
        { ...key, credential: { type: "aws", accountID: "other", secret: { plain: "x" } } },
      ],
    });
    const engine = new Engine(connection, TYPE);
    const { diagnostics } = await engine.plan(specs({ credential: aws }));
    expect(errorsOf(diagnostics)[0]?.detail).toContain(
      '"r a * (credential other)" would be overwritten',
    );
    await console.edit({
      registry: [
        { ...key, credential: { type: "aws", accountID: "AKIA", secret: { plain: "x" } } },
      ],
    });
    await engine.applied(specs({ credential: aws }));
  });

  test("refuses both kinds", async () => {
    const { connection } = await ready(old);
    const found = new Engine(connection, TYPE).validate(
      specs({ credential: aws, credential_id: "stored" }),
    );
    expect(summaries(errorsOf(found))).toEqual(["Two credentials"]);
  });
});

describe.each(RELEASES.filter((release) => release !== "20.04"))("release %s, by ID", (release) => {
  test("refuses an inline credential, and says what to do", async () => {
    const { connection, writes } = await ready({ release });
    const engine = new Engine(connection, TYPE);
    const [problem] = errorsOf((await engine.plan(specs({ credential: aws }))).diagnostics);
    expect(problem?.summary).toBe(
      `Inline credentials: not in ${release === "next" ? "the next release" : `release ${release}`} (section 9.1.2)`,
    );
    expect(problem?.detail).toContain("credential_id");
    expect(problem?.path).toEqual(["specifications", 0, "credential"]);
    expect(writes()).toEqual([]);
  });

  test("writes no specification with `credential`, managed or unmanaged", async () => {
    const { console, connection, sent } = await ready({ release });
    await console.load({ registry: [{ ...key, repository: "x", credentialID: "theirs" }] });
    const config = { ownership: "shared", ...specs({ credential_id: "stored" }) };
    const engine = await new Engine(connection, TYPE).applied(config);
    await engine.applied({ ownership: "shared", ...specs({ credential_id: "stored", cap: 2 }) });
    await engine.applied(null);
    const bodies = written(sent);
    expect(bodies).toHaveLength(3);
    for (const body of bodies) {
      expect(body).not.toContain('"credential":');
      expect(body).toContain('"credentialID":"theirs"');
    }
  });
});

test("writes nothing for a change of resource settings", async () => {
  const { connection, writes } = await ready();
  const engine = await new Engine(connection, TYPE).applied(specs({ credential_id: "stored" }));
  await engine.applied({ on_destroy: "keep", ...specs({ credential_id: "stored" }) });
  expect(writes()).toHaveLength(1);
});

test("reads `credentialId`, and replaces it when it changes", async () => {
  const found = `[{"registry":"r","repository":"a","tag":"*","credentialId":"stored","x":1}]`;
  const { connection, body, bodies } = storing(PATH, found);
  const engine = new Engine(connection, TYPE);
  const config = (id: string) => ({ ...specs({ credential_id: id }), on_destroy: "keep" });
  await engine.applied(config("stored"));
  expect(bodies).toEqual([]);
  expect(await engine.isConverged(config("stored"))).toBe(true);
  await engine.applied(config("other"));
  expect(body()).toBe(`[{"registry":"r","repository":"a","tag":"*","x":1,"credentialID":"other"}]`);
});
