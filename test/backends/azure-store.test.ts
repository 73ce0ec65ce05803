import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { emptyState, type State } from "../../src/core/documents/state";
import { ObjectStore } from "../../src/backends/object-store";
import { RemoteBackend } from "../../src/backends/remote";
import { azurePlace, azureSettings } from "../../src/language/config/azurerm-backend";
import { backendConfig } from "../../src/language/config/open-backend";
import { ACCESS, Azurite, describeWithAzurite } from "../object-stores/azurite";
import { APPLICATION, tokenOf } from "../object-stores/entra";
import { freshFolder } from "./folder";
import {
  expectKept,
  expectOthersLockedOut,
  expectStolenLockKept,
  expectTextBeside,
  withInstance,
} from "./object-store-promises";

jest.setTimeout(120_000);

describeWithAzurite("a state in Azure Storage", () => {
  let azurite: Azurite;
  let opened = 0;
  let key = "";
  beforeAll(async () => {
    azurite = await Azurite.open();
  });
  afterAll(() => azurite.close());
  beforeEach(() => {
    key = `app/${++opened}.tfstate`;
    azurite.relay.fault = () => undefined;
  });

  function storeOf(
    workspace = "default",
    settings: object = {},
    environment: Record<string, string> = ACCESS,
  ) {
    const { backend, diagnostics } = backendConfig({ backend: azurite.backend(key, settings) });
    expect(diagnostics).toEqual([]);
    if (backend?.type !== "azurerm") throw new Error("no backend azurerm");
    const found = azureSettings(backend, { ...environment, ...azurite.way }, freshFolder());
    if ("problem" in found) throw new Error(found.problem);
    // The authority belongs to processes; this one has started without it.
    const connections = { ...found.connections, ca: azurite.ca };
    return new ObjectStore(azurePlace({ ...found, connections }, key, workspace));
  }

  function open(settings: object = {}, environment: Record<string, string> = ACCESS) {
    return new RemoteBackend(storeOf("default", settings, environment), freshFolder());
  }

  async function written(...place: Parameters<typeof open>): Promise<State> {
    const backend = open(...place);
    expect((await backend.read()).diagnostics).toEqual([]);
    const { state, diagnostics } = await backend.write(withInstance(emptyState(), "t_t.a"));
    expect(diagnostics).toEqual([]);
    return state!;
  }

  test("has another text next to it", async () => {
    await expectTextBeside(open(), open());
  });

  test("lists and removes the workspaces of its key", async () => {
    for (const workspace of ["default", "blue&green", "red"]) {
      const backend = new RemoteBackend(storeOf(workspace), freshFolder());
      const { lock } = await backend.lock({ operation: "workspace new" });
      await backend.read();
      expect(await backend.copy(emptyState("lineage"))).toEqual([]);
      expect(await lock!.release()).toEqual([]);
    }
    expect(await storeOf().workspaces()).toEqual(["blue&green", "red"]);
    const red = storeOf("red");
    const backend = new RemoteBackend(red, freshFolder());
    const { lock } = await backend.lock({ operation: "workspace delete" });
    await red.get();
    await red.delete();
    expect(await lock!.release()).toEqual([]);
    expect(await storeOf().workspaces()).toEqual(["blue&green"]);
  });

  test("keeps lineage and increases the serial under its lock, as in a file", async () => {
    const backend = open();
    const { lock } = await backend.lock({ operation: "apply" });
    expect(await azurite.text(key)).toBe("");
    expect(await backend.read()).toEqual({ state: undefined, interrupted: [], diagnostics: [] });
    const first = await backend.write(withInstance(emptyState(), "t_t.a"));
    const second = await backend.write(withInstance(first.state!, "t_t.b"));
    expect(second.state).toMatchObject({ serial: 2, lineage: first.state!.lineage });
    expect(await azurite.json(key)).toMatchObject({ serial: 2, resources: [{}, {}] });
    expect((await open().read()).state).toEqual(second.state);
    expect(await lock!.release()).toEqual([]);
    expect(await azurite.headers(key)).toMatchObject({ "x-ms-lease-status": "unlocked" });
    expect(await azurite.holder(key)).toBeUndefined();
  });

  test("carries the metadata of the blob on, also that of others", async () => {
    await azurite.put(key, "", { "x-ms-meta-owner": "ann" });
    const backend = open();
    const { lock } = await backend.lock({ operation: "apply" });
    await backend.read();
    await backend.write(withInstance(emptyState(), "t_t.a"));
    await backend.write(withInstance(emptyState(), "t_t.b"));
    expect(await azurite.headers(key)).toMatchObject({ "x-ms-meta-owner": "ann" });
    expect(await azurite.holder(key)).toMatchObject({ ID: lock!.id, Path: `states/${key}` });
    expect(await lock!.release()).toEqual([]);
    expect(await azurite.headers(key)).toMatchObject({ "x-ms-meta-owner": "ann" });
  });

  test.each(["apply", undefined])(
    "writes never over what another program has written (lock of %s)",
    async (operation) => {
      const backend = open();
      const { lock } = operation === undefined ? {} : await backend.lock({ operation });
      await backend.read();
      await backend.write(withInstance(emptyState(), "t_t.a"));
      const lease: Record<string, string> = lock ? { "x-ms-lease-id": lock.id } : {};
      await azurite.put(key, '{"version": 4, "serial": 7, "lineage": "other"}', lease);
      const { state, diagnostics } = await backend.write(withInstance(emptyState(), "t_t.b"));
      expect(state).toBeUndefined();
      expect(diagnostics[0]?.detail).toContain("another program changed");
      expect(await azurite.json(key)).toMatchObject({ serial: 7 });
    },
  );

  test.each(["lost", "unanswered", "broken", 503] as const)(
    "stores a state although the first write is %s",
    async (fault) => {
      azurite.relay.once(/^PUT .*tfstate$/, fault);
      await written();
      expect(await azurite.json(key)).toMatchObject({ serial: 1 });
    },
  );

  test("takes and releases a lock although each answer is lost once", async () => {
    const lost = new Set<string>();
    azurite.relay.fault = (request) => {
      const isFirst = !lost.has(request);
      lost.add(request);
      return isFirst ? "unanswered" : undefined;
    };
    const { lock, diagnostics } = await open().lock({ operation: "apply" });
    expect(diagnostics).toEqual([]);
    expect(await azurite.holder(key)).toMatchObject({ ID: lock!.id });
    lost.clear();
    expect(await lock!.release()).toEqual([]);
    expect(await azurite.headers(key)).toMatchObject({ "x-ms-lease-status": "unlocked" });
    expect(await azurite.holder(key)).toBeUndefined();
  });

  test("leaves no lease if the lock cannot be described", async () => {
    let left = 6;
    azurite.relay.fault = (request) =>
      request.endsWith("comp=metadata") && left-- > 0 ? 503 : undefined;
    const { lock, diagnostics } = await open().lock({ operation: "apply" });
    expect(lock).toBeUndefined();
    expect(diagnostics[0]?.detail).toContain("describe the lock");
    expect(await azurite.headers(key)).toMatchObject({ "x-ms-lease-status": "unlocked" });
  });

  test("locks out others until it is released, or unlocked by its ID", async () => {
    const one = open();
    const unlocked = await expectOthersLockedOut(one, open());
    const again = await one.forceUnlock(unlocked);
    expect(again[0]?.detail).toContain("it is not locked");
  });

  test("names no run for a lease that describes none", async () => {
    await azurite.put(key, "");
    const lease = { "x-ms-lease-action": "acquire", "x-ms-lease-duration": "-1" };
    await azurite.send("PUT", `/${key}?comp=lease`, lease);
    const { diagnostics } = await open().lock({ operation: "plan" });
    expect(diagnostics[0]?.detail).toContain("az storage blob lease break");
  });

  test("does not store the result of a run whose lock was stolen and used", async () => {
    const refusal = /another program changed|lock of this run was removed/;
    const id = await expectStolenLockKept(open(), open(), refusal);
    expect(await azurite.holder(key)).toMatchObject({ ID: id });
    expect(await azurite.json(key)).toMatchObject({ resources: [{ name: "thief" }] });
  });

  test.each([{}, { snapshot: true }])(
    "moves a state away next to its place, under its lock, with %j",
    async (settings) => {
      await written(settings);
      await written(settings);
      const text = await azurite.text(key);
      const backend = open(settings);
      const { lock } = await backend.lock({ operation: "state migrate" });
      await backend.read();
      const { kept, diagnostics } = await backend.retire("a");
      expect({ kept, diagnostics }).toEqual({ kept: `${key}.moved-1`, diagnostics: [] });
      expect(await azurite.text(kept!)).toBe(text);
      expect(await azurite.text(key)).toBe("");
      expect(await lock!.release()).toEqual([]);
      expect((await open().read()).state).toBeUndefined();
    },
  );

  test("makes a snapshot before each write, if the backend says so", async () => {
    const backend = open({ snapshot: true });
    const { lock } = await backend.lock({ operation: "apply" });
    await backend.read();
    await backend.write(withInstance(emptyState(), "t_t.a"));
    await backend.write(withInstance(emptyState(), "t_t.b"));
    await lock!.release();
    const list = await azurite.send("GET", "?restype=container&comp=list&include=snapshots");
    const entry = `<Name>${key}</Name><Snapshot>`;
    expect(list.body.toString().split(entry)).toHaveLength(3);
  });

  test("reports a wrong key, a container and a resource that do not exist", async () => {
    const wrong = { ARM_ACCESS_KEY: Buffer.alloc(64, 9).toString("base64") };
    const { diagnostics } = await open({}, wrong).read();
    // Azurite answers so where it accepts tokens too; Azure answers with 403.
    expect(diagnostics[0]?.detail).toContain("answered 400 InvalidAuthenticationInfo");
    expect(String(diagnostics[0]?.detail)).not.toContain(wrong.ARM_ACCESS_KEY);
    const absent = await open({ container_name: "none" }).read();
    expect(absent.diagnostics[0]?.detail).toContain("answered 404 ContainerNotFound");
    const locked = await open({ container_name: "none" }).lock({ operation: "apply" });
    expect(locked.diagnostics[0]?.detail).toContain("answered 404 ContainerNotFound");
  });

  test("names the role that is enough if the request is refused", async () => {
    azurite.relay.once(/^GET/, 403);
    const { diagnostics } = await open().read();
    expect(diagnostics[0]?.detail).toMatch(/answered 403 .*Storage Blob Data Contributor/);
  });

  test("is kept with the permissions of a signature that the guide names", async () => {
    const environment = { ARM_SAS_TOKEN: `?${azurite.sas("racwd")}` };
    await expectKept(open({}, environment));
    const less = await open({}, { ARM_SAS_TOKEN: azurite.sas("r") }).lock({ operation: "apply" });
    expect(less.diagnostics[0]?.detail).toContain("403 AuthorizationPermissionMismatch");
    expect(less.diagnostics[0]?.detail).not.toContain("sig=");
  });

  describe("with credentials of Entra ID", () => {
    const ENTRA = { use_azuread_auth: true };
    const { ARM_TENANT_ID, ARM_CLIENT_ID } = APPLICATION;

    /** Answers all requests on loopback with a document; returns the requests. */
    async function answering(document: object, work: (url: string) => Promise<void>) {
      const asked: IncomingMessage[] = [];
      const server = createServer((request, response) => {
        asked.push(request);
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify(document));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      return asked;
    }

    test("signs in as the managed identity of a machine", async () => {
      const access_token = tokenOf("https://storage.azure.com");
      const expires = Math.floor(Date.now() / 1000) + 3600;
      const document = { access_token, expires_on: String(expires), token_type: "Bearer" };
      const asked = await answering(document, async (url) => {
        // A variable of the library.
        process.env.AZURE_POD_IDENTITY_AUTHORITY_HOST = url;
        await written(ENTRA, { ARM_USE_MSI: "true" });
        delete process.env.AZURE_POD_IDENTITY_AUTHORITY_HOST;
      });
      expect(azurite.relay.headers.at(-1)?.authorization).toBe(`Bearer ${access_token}`);
      const [{ url, headers } = {}] = asked;
      expect(url).toContain("/metadata/identity/oauth2/token");
      expect(headers).toMatchObject({ metadata: "true" });
    });

    test("asks a pipeline for the token to sign in with", async () => {
      const asked = await answering({ value: "token-of-pipeline" }, async (url) => {
        const ARM_OIDC_REQUEST_URL = `${url}/token?run=1`;
        const pipeline = { ARM_OIDC_REQUEST_URL, ARM_OIDC_REQUEST_TOKEN: "of-run" };
        await written(ENTRA, { ARM_TENANT_ID, ARM_CLIENT_ID, ARM_USE_OIDC: "true", ...pipeline });
      });
      expect(azurite.entra.asked.at(-1)?.get("client_assertion")).toBe("token-of-pipeline");
      const [{ url, headers } = {}] = asked;
      expect(url).toBe("/token?run=1&audience=api%3A%2F%2FAzureADTokenExchange");
      expect(headers).toMatchObject({ authorization: "Bearer of-run" });
    });

    test("signs in as an application, once for all requests", async () => {
      const before = azurite.entra.asked.length;
      await written(ENTRA, APPLICATION);
      await written(ENTRA, APPLICATION);
      expect(await azurite.json(key)).toMatchObject({ serial: 1 });
      expect(azurite.entra.asked.length - before).toBe(1);
      expect(azurite.tunnels.targets).toContain("login.microsoftonline.com:443");
    });

    test("reports a wrong secret without it", async () => {
      const { diagnostics } = await open(ENTRA, {
        ...APPLICATION,
        ARM_CLIENT_SECRET: "another-one",
      }).read();
      expect(diagnostics[0]?.detail).toMatch(/no credentials for it: .*AADSTS7000215/s);
      expect(String(diagnostics[0]?.detail)).not.toContain("another-one");
    });

    test("signs in with the token of a pipeline", async () => {
      const file = join(freshFolder(), "token");
      writeFileSync(file, "token-of-ci\n");
      const token = { ARM_USE_OIDC: "true", ARM_OIDC_TOKEN_FILE_PATH: file };
      await written(ENTRA, { ARM_TENANT_ID, ARM_CLIENT_ID, ...token });
      expect(azurite.entra.asked.at(-1)?.get("client_assertion")).toBe("token-of-ci");
    });

    test("finds the key of the storage account", async () => {
      const names = { resource_group_name: "states", subscription_id: "example" };
      await written(names, APPLICATION);
      expect(azurite.tunnels.targets).toContain("management.azure.com:443");
      expect(azurite.relay.headers.at(-1)?.authorization).toContain("SharedKey examplestates:");
    });
  });
});
