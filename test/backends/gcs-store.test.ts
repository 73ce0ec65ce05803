import { emptyState, type State } from "../../src/core/documents/state";
import { openBackend } from "../../src/language/config/open-backend";
import { describeWithFakeGcs, FakeGcs, TOKEN } from "../object-stores/fake-gcs";
import { freshFolder } from "./folder";
import { expectTextBeside, withInstance } from "./object-store-promises";

jest.setTimeout(60_000);

describeWithFakeGcs("a state in Google Cloud Storage", () => {
  let gcs: FakeGcs;
  let opened = 0;
  let prefix = "";
  beforeAll(async () => {
    gcs = await FakeGcs.open();
  });
  afterAll(() => gcs.close());
  beforeEach(() => {
    prefix = `app${++opened}`;
    gcs.relay.fault = () => undefined;
  });

  function open(
    settings: object = {},
    environment: Record<string, string> = TOKEN,
    workspace = "default",
  ) {
    const directory = freshFolder();
    const at = { directory, workspace, environment, workingDirectory: directory };
    const { backend, diagnostics } = openBackend({ backend: gcs.backend(prefix, settings) }, at);
    expect(diagnostics).toEqual([]);
    return backend!;
  }

  async function written(...place: Parameters<typeof open>): Promise<State> {
    const backend = open(...place);
    expect((await backend.read()).diagnostics).toEqual([]);
    const { state, diagnostics } = await backend.write(withInstance(emptyState(), "t_t.a"));
    expect(diagnostics).toEqual([]);
    return state!;
  }

  test("keeps a state for each workspace where Terraform does", async () => {
    await written();
    await written({}, TOKEN, "blue");
    expect(await gcs.json(`${prefix}/default.tfstate`)).toMatchObject({ serial: 1 });
    expect(await gcs.json(`${prefix}/blue.tfstate`)).toMatchObject({ serial: 1 });
    expect((await open().read()).state).toMatchObject({ serial: 1 });
  });

  test("writes never over what another program has written", async () => {
    const backend = open();
    await backend.lock({ operation: "apply" });
    await backend.read();
    await backend.write(withInstance(emptyState(), "t_t.a"));
    await gcs.put(`${prefix}/default.tfstate`, '{"version": 4, "serial": 7, "lineage": "other"}');
    const { diagnostics } = await backend.write(withInstance(emptyState(), "t_t.b"));
    expect(diagnostics[0]?.detail).toContain("another program changed");
    expect(await gcs.json(`${prefix}/default.tfstate`)).toMatchObject({ serial: 7 });
  });

  test.each(["lost", "unanswered", "broken", 503] as const)(
    "stores a state although the first write is %s",
    async (fault) => {
      gcs.relay.once(/^POST .*tfstate/, fault);
      await written();
      expect(await gcs.json(`${prefix}/default.tfstate`)).toMatchObject({ serial: 1 });
    },
  );

  test("locks by the generation of an object, also if its answers are lost", async () => {
    const [one, other] = [open(), open()];
    gcs.relay.once(/^POST .*tflock/, "unanswered");
    const { lock } = await one.lock({ operation: "apply" });
    expect(lock!.id).toBe(await gcs.generation(`${prefix}/default.tflock`));
    const { diagnostics } = await other.lock({ operation: "plan" });
    expect(diagnostics[0]?.detail).toContain(`force-unlock ${lock!.id}`);
    const wrong = await other.forceUnlock("1");
    expect(wrong[0]?.detail).toContain(`its lock is ${lock!.id} of apply`);
    gcs.relay.once(/^DELETE .*tflock/, "unanswered");
    expect(await lock!.release()).toEqual([]);
    expect(await gcs.text(`${prefix}/default.tflock`)).toBe("");
    // The server here deletes any generation; Google's deletes this one only.
    expect(gcs.relay.requests).toContainEqual(
      expect.stringMatching(`^DELETE .*default.tflock\\?ifGenerationMatch=${lock!.id}$`),
    );
  });

  test("has another text next to it", async () => {
    await expectTextBeside(open(), open());
  });

  test("does not release a lock that was stolen", async () => {
    const [one, thief] = [open(), open()];
    const { lock } = await one.lock({ operation: "apply" });
    await thief.forceUnlock(lock!.id);
    const stolen = await thief.lock({ operation: "apply" });
    expect((await lock!.release())[0]?.detail).toContain(`its lock is ${stolen.lock!.id}`);
  });

  test("moves a state away next to its place", async () => {
    await written();
    const backend = open();
    await backend.read();
    const { kept } = await backend.retire("a");
    expect(kept).toBe(`${prefix}/default.tfstate.moved-1`);
    expect(await gcs.text(`${prefix}/default.tfstate`)).toBe("");
    expect(await gcs.json(kept!)).toMatchObject({ serial: 1 });
  });

  test("sends the key of a customer with states, and not with locks", async () => {
    const GOOGLE_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");
    const backend = open({}, { ...TOKEN, GOOGLE_ENCRYPTION_KEY });
    const first = gcs.relay.requests.length;
    await backend.lock({ operation: "apply" });
    await backend.read();
    await backend.write(withInstance(emptyState(), "t_t.a"));
    const sent = gcs.relay.headers.slice(first).map((one) => one["x-goog-encryption-key"]);
    expect(sent).toEqual([undefined, GOOGLE_ENCRYPTION_KEY, GOOGLE_ENCRYPTION_KEY]);
  });

  test.each([401, 403])("reports credentials that are refused with %s", async (status) => {
    gcs.relay.once(/^GET/, status);
    const { diagnostics } = await open().read();
    expect(diagnostics[0]?.detail).toMatch(
      new RegExp(`answered ${status} .*roles/storage.objectUser`),
    );
  });

  test("shows nothing of a key that is not readable", async () => {
    const { diagnostics } = await open(
      {},
      { GOOGLE_CREDENTIALS: '{"private_key": "s3cret' },
    ).read();
    expect(diagnostics[0]?.detail).toContain("the credentials are no JSON");
    expect(JSON.stringify(diagnostics)).not.toContain("s3cret");
  });
});
