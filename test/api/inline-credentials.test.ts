import { scripted } from "./support/scripted-console";

const EMPTY = { _id: "", secret: { encrypted: "" }, tokens: null };
const FULL = { type: "basic", secret: { plain: "canary" } };
const WRITES = ["registry", "serverlessScan", "serverlessAutoDeploy"] as const;

const bodies = ({ requests }: ReturnType<typeof scripted>) =>
  requests.map(({ body = "null" }) => JSON.parse(body) as unknown);

describe.each(["20.09", "20.12", "next"] as const)("release %s", (release) => {
  test.each(WRITES)("gets no blank credential of %s", async (kind) => {
    const console = scripted(() => ({}), { release });
    await console.client.replace(kind, { envelope: null, items: [{ credential: EMPTY, cap: 5 }] });
    expect(bodies(console)).toEqual([[{ cap: 5 }]]);
  });

  test.each(WRITES)("gets no credential with content of %s, and nothing is sent", async (kind) => {
    const { client, calls } = scripted(() => ({}), { release });
    const items = [{}, { credential: FULL }];
    const failing = client.replace(kind, { envelope: null, items });
    await expect(failing).rejects.toMatchObject({ code: "CONSOLE_CONFIGURATION" });
    await expect(failing).rejects.toThrow(/^Item 1 of the .* has an inline credential/);
    await expect(failing).rejects.not.toThrow(/canary/);
    expect(calls()).toEqual([]);
  });

  test("adds a specification without a credential", async () => {
    const console = scripted(() => ({}), { release });
    await console.client.addRegistrySpecification({ registry: "r", credential: EMPTY });
    expect(bodies(console)).toEqual([{ registry: "r" }]);
    await expect(
      console.client.addRegistrySpecification({ credential: FULL }),
    ).rejects.toMatchObject({ code: "CONSOLE_CONFIGURATION" });
  });
});

test("20.04 gets inline credentials", async () => {
  const console = scripted(() => ({}), { release: "20.04" });
  const items = [{ registry: "r", credential: FULL }];
  await console.client.replace("registry", { envelope: null, items });
  expect(bodies(console)).toEqual([items]);
});

test("keeps an unknown member of policies that is named credential", async () => {
  const console = scripted(() => ({}));
  const items = [{ name: "a", credential: FULL }];
  await console.client.replace("policies", { envelope: null, items });
  expect(bodies(console)).toEqual([items]);
});
