import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emptyState, type State } from "../../src/core/documents/state";
import { ObjectStore } from "../../src/backends/object-store";
import { backendConfig, openBackend } from "../../src/language/config/open-backend";
import { s3Place } from "../../src/language/config/s3-backend";
import { describeWithMoto, KEYS, Moto } from "../object-stores/moto";
import { freshFolder } from "./folder";
import {
  expectKept,
  expectOthersLockedOut,
  expectStolenLockKept,
  expectTextBeside,
  withInstance,
} from "./object-store-promises";

jest.setTimeout(120_000);

const summaries = (diagnostics: readonly { summary: string }[]) =>
  diagnostics.map(({ summary }) => summary);

interface Place {
  readonly settings?: object;
  readonly environment?: Record<string, string>;
  readonly workspace?: string;
}

describeWithMoto("a state in S3", () => {
  let moto: Moto;
  let opened = 0;
  let key = "";
  beforeAll(async () => {
    moto = await Moto.open();
  });
  afterAll(() => moto.close());
  beforeEach(() => {
    key = `app/${++opened}.tfstate`;
    moto.relay.fault = () => undefined;
  });

  function open({ settings = {}, environment = KEYS, workspace = "default" }: Place = {}) {
    const directory = freshFolder();
    const backend = moto.backend(key, settings);
    const at = { directory, workspace, environment, workingDirectory: directory };
    const opened = openBackend({ backend }, at);
    expect(opened.diagnostics).toEqual([]);
    return opened.backend!;
  }

  async function written(place: Place = {}): Promise<State> {
    const backend = open(place);
    await backend.read();
    const { state, diagnostics } = await backend.write(withInstance(emptyState(), "t_t.a"));
    expect(diagnostics).toEqual([]);
    return state!;
  }

  test("keeps lineage and increases the serial, as in a file", async () => {
    const backend = open();
    const { lock } = await backend.lock({ operation: "apply" });
    expect(await backend.read()).toEqual({ state: undefined, interrupted: [], diagnostics: [] });
    const first = await backend.write(withInstance(emptyState(), "t_t.a"));
    const second = await backend.write(withInstance(first.state!, "t_t.b"));
    expect(second.state).toMatchObject({ serial: 2, lineage: first.state!.lineage });
    expect(await moto.json(key)).toMatchObject({ serial: 2, resources: [{}, {}] });
    expect((await open().read()).state).toEqual(second.state);
    expect(await lock!.release()).toEqual([]);
  });

  test("has another text next to it", async () => {
    await expectTextBeside(open(), open());
  });

  test("keeps a state for each workspace where Terraform does", async () => {
    await written({ workspace: "blue" });
    expect(await moto.json(`env:/blue/${key}`)).toMatchObject({ serial: 1 });
    await written({ workspace: "blue", settings: { workspace_key_prefix: "teams" } });
    expect(await moto.json(`teams/blue/${key}`)).toMatchObject({ serial: 1 });
    expect(await moto.json(key)).toBeNull();
  });

  test("lists the workspaces on all pages, also of a key with odd characters", async () => {
    key = "a&b +(1)'.tfstate";
    const names = Array.from({ length: 1_005 }, (_, index) => `w${index}~$&+:=@`);
    for (const name of names)
      await moto.put(encodeURI(`env:/${name}/${key}`).replaceAll("+", "%2B"), "");
    await moto.put("env:/other/another.tfstate", "");
    const block = moto.backend(key);
    const { place } = s3Place({ type: "s3", settings: block.s3 }, KEYS, "default", freshFolder());
    expect((await new ObjectStore(place!).workspaces()).toSorted()).toEqual(names.toSorted());
  });

  test("takes an object without content for no state", async () => {
    await moto.put(key, "");
    await written();
    expect(await moto.json(key)).toMatchObject({ serial: 1 });
  });

  test.each(["apply", undefined])(
    "writes never over what another program has written (lock of %s)",
    async (operation) => {
      const backend = open();
      if (operation !== undefined) await backend.lock({ operation });
      await backend.read();
      await backend.write(withInstance(emptyState(), "t_t.a"));
      await moto.put(key, '{"version": 4, "serial": 7, "lineage": "other"}');
      const { state, diagnostics } = await backend.write(withInstance(emptyState(), "t_t.b"));
      expect(state).toBeUndefined();
      expect(diagnostics[0]?.detail).toContain("another program changed");
      expect(await moto.json(key)).toMatchObject({ serial: 7 });
      await moto.delete(key);
      const late = await backend.write(withInstance(emptyState(), "t_t.c"));
      expect(late.diagnostics[0]?.detail).toContain("another program changed");
      expect(await moto.keys()).not.toContain(key);
    },
  );

  test.each(["lost", "unanswered", "broken", 503, 409] as const)(
    "stores a state although the first write is %s",
    async (fault) => {
      moto.relay.once(/^PUT .*\d\.tfstate$/, fault);
      await written();
      expect(await moto.json(key)).toMatchObject({ serial: 1 });
      const requests = moto.relay.requests.filter((one) =>
        one.startsWith(`PUT /example-states/${key}`),
      );
      expect(requests).toHaveLength(2);
    },
  );

  test("takes and releases a lock although its answers are lost", async () => {
    const backend = open();
    moto.relay.once(/^PUT .*tflock/, "unanswered");
    const { lock } = await backend.lock({ operation: "apply" });
    expect(await moto.json(`${key}.tflock`)).toMatchObject({ ID: lock!.id });
    moto.relay.once(/^DELETE .*tflock/, "unanswered");
    const tag = (await moto.headers(`${key}.tflock`)).get("etag");
    expect(await lock!.release()).toEqual([]);
    expect(await moto.text(`${key}.tflock`)).toBe("");
    // The server here deletes any version; that of AWS this one only.
    const deleting = moto.relay.requests.indexOf(`DELETE /example-states/${key}.tflock`);
    expect(moto.relay.headers[deleting]).toMatchObject({ "if-match": tag });
  });

  test("locks out others until it is released, or unlocked by its ID", async () => {
    await expectOthersLockedOut(open(), open());
    expect(await moto.text(`${key}.tflock`)).toBe("");
  });

  test("does not store the result of a run whose lock was stolen and used", async () => {
    const id = await expectStolenLockKept(open(), open(), /another program changed/);
    expect(await moto.json(`${key}.tflock`)).toMatchObject({ ID: id });
    expect(await moto.json(key)).toMatchObject({ resources: [{ name: "thief" }] });
  });

  test("warns of a state without locks, and then refuses conflicts only", async () => {
    const backend = open({ settings: { use_lockfile: false } });
    const { lock, diagnostics } = await backend.lock({ operation: "apply" });
    expect(summaries(diagnostics)).toEqual(["State is not locked"]);
    expect(await moto.keys()).not.toContain(`${key}.tflock`);
    expect(await lock!.release()).toEqual([]);
  });

  test("moves a state away next to its place", async () => {
    const state = await written();
    const text = await moto.text(key);
    const backend = open();
    await moto.put(`${key}.moved-1`, "another state");
    await backend.read();
    const { kept, diagnostics } = await backend.retire("a");
    expect({ kept, diagnostics }).toEqual({ kept: `${key}.moved-1.1`, diagnostics: [] });
    expect(await moto.text(`${key}.moved-1.1`)).toBe(text);
    expect(await moto.keys()).not.toContain(key);
    expect(state.serial).toBe(1);
  });

  test("encrypts with the key that the backend names", async () => {
    await written({ settings: { encrypt: true, kms_key_id: "alias/states" } });
    const kms = await moto.headers(key);
    expect(kms.get("x-amz-server-side-encryption")).toBe("aws:kms");
    expect(kms.get("x-amz-server-side-encryption-aws-kms-key-id")).toBe("alias/states");
    expect((await open().read()).state).toMatchObject({ serial: 1 });
  });

  test("sends the key of a customer with reads and writes", async () => {
    const AWS_SSE_CUSTOMER_KEY = Buffer.alloc(32, 7).toString("base64");
    const place = {
      settings: { encrypt: true },
      environment: { ...KEYS, AWS_SSE_CUSTOMER_KEY },
    };
    await written(place);
    const since = moto.relay.headers.slice(-2);
    expect((await open(place).read()).state).toMatchObject({ serial: 1 });
    const header = "x-amz-server-side-encryption-customer-key";
    expect(since.map((sent) => sent[header])).toEqual([AWS_SSE_CUSTOMER_KEY, AWS_SSE_CUSTOMER_KEY]);
  });

  test("names the bucket that does not exist", async () => {
    const { diagnostics } = await open({ settings: { bucket: "none" } }).read();
    expect(diagnostics[0]?.detail).toContain("S3 answered 404 NoSuchBucket");
  });

  test("takes credentials of a role that the backend names", async () => {
    const role = "arn:aws:iam::123456789012:role/states";
    await written({ settings: { assume_role: { role_arn: role, duration: "1h" } } });
    expect(moto.relay.requests).toContain("POST /");
    expect(await moto.json(key)).toMatchObject({ serial: 1 });
  });

  test("takes credentials of a profile, and asks a proxy for nothing else", async () => {
    const folder = join(freshFolder(), "aws");
    mkdirSync(folder, { recursive: true });
    const file = join(folder, "credentials");
    writeFileSync(file, "[ci]\naws_access_key_id = a\naws_secret_access_key = b\n");
    await written({
      settings: { profile: "ci", shared_credentials_files: [file] },
      environment: {},
    });
    const missing = { profile: "other", shared_credentials_files: [file] };
    const { diagnostics } = await open({ settings: missing, environment: {} }).read();
    expect(diagnostics[0]?.detail).toContain("AWS has no credentials for it");
  });
});

describeWithMoto("a server that checks credentials", () => {
  let moto: Moto;
  let keys: Record<string, string>;
  // A bucket, a user, a policy and a key are made without credentials.
  beforeAll(async () => {
    moto = await Moto.open(5);
    await moto.iam("CreateUser", { UserName: "ci" });
    await moto.iam("PutUserPolicy", {
      UserName: "ci",
      PolicyName: "states",
      PolicyDocument: JSON.stringify({
        Version: "2012-10-17",
        Statement: [
          { Effect: "Allow", Action: "s3:ListBucket", Resource: "arn:aws:s3:::example-states" },
          {
            Effect: "Allow",
            Action: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
            Resource: "arn:aws:s3:::example-states/app/*",
          },
        ],
      }),
    });
    const made = await moto.iam("CreateAccessKey", { UserName: "ci" });
    const textOf = (name: string) => new RegExp(`<${name}>([^<]*)`).exec(made)?.[1] ?? "";
    keys = {
      AWS_ACCESS_KEY_ID: textOf("AccessKeyId"),
      AWS_SECRET_ACCESS_KEY: textOf("SecretAccessKey"),
    };
  });
  afterAll(() => moto.close());

  function open(key: string, environment: Record<string, string>) {
    const at = { directory: freshFolder(), workspace: "default", environment };
    const { backend } = backendConfig({ backend: moto.backend(key) });
    expect(backend).toBeDefined();
    return openBackend({ backend: moto.backend(key) }, at).backend!;
  }

  test("the permissions in the guide are enough", async () => {
    await expectKept(open("app/a b+(c)*.tfstate", keys));
  });

  test("reports wrong credentials and missing permissions, and shows no secret", async () => {
    const wrong = { ...keys, AWS_SECRET_ACCESS_KEY: "s3cret-wrong" };
    const { diagnostics } = await open("app/a", wrong).lock({ operation: "apply" });
    expect(diagnostics[0]?.detail).toMatch(/S3 answered 403 SignatureDoesNotMatch/);
    expect(JSON.stringify(diagnostics)).not.toContain("s3cret");
    const elsewhere = await open("other/a", keys).read();
    expect(elsewhere.diagnostics[0]?.detail).toMatch(/403 AccessDenied.*s3:PutObject/);
  });
});
