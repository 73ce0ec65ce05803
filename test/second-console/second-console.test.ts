import { Agent, fetch } from "undici";
import { startSecondConsole, type SecondConsole, type SecondConsoleOptions } from ".";

let console_: SecondConsole | undefined;
let agent: Agent | undefined;

afterEach(async () => {
  await agent?.close();
  await console_?.close();
});

async function start(options: SecondConsoleOptions = {}) {
  const served = await startSecondConsole(options);
  const connection = new Agent({ connect: { ca: served.ca } });
  console_ = served;
  agent = connection;
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${served.url}/api/v1/${path}`, {
      method,
      dispatcher: connection,
      headers: { authorization: `Basic ${Buffer.from("admin:x").toString("base64")}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes, text: bytes.toString() };
  };
}

const accounts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ credentialId: `acc-${index}` }));

test("answers a list in pages of 50 with Total-Count", async () => {
  const ask = await start({ content: { lists: { "cloud-scan-rules": accounts(60) } } });
  const first = await ask("GET", "cloud-scan-rules");
  const second = await ask("GET", "cloud-scan-rules?offset=50");
  expect([first, second].map(({ text }) => (JSON.parse(text) as unknown[]).length)).toEqual([
    50, 10,
  ]);
  expect(first.headers.get("total-count")).toBe("60");
});

test("answers a policy with whole collections, and refuses what it does not accept", async () => {
  const ask = await start({ repeatsBody: ["users"], missing: ["hosts"], projects: ["eu"] });
  const path = "policies/runtime/container";
  await ask("PUT", path, { rules: [{ name: "r", collections: [{ name: "All" }] }] });
  expect((await ask("GET", path)).text).toContain('"description":"System - all');
  expect((await ask("POST", "collections", { name: "All" })).status).toBe(409);
  expect((await ask("PUT", "collections/All", { color: "#000000" })).status).toBe(400);
  expect((await ask("POST", "users", { username: "u", password: "p" })).text).toContain("password");
  expect((await ask("GET", "hosts")).text).toContain("<html>");
  expect((await ask("GET", "users?project=us")).status).toBe(404);
  expect((await ask("GET", "users?project=eu")).status).toBe(200);
  expect((await ask("POST", "settings/certs", { caExpiration: "x" })).status).toBe(400);
});

test("answers bytes that are not UTF-8, and limits writes", async () => {
  const ask = await start({ latin1: { users: '["caf\xe9"]' }, writes: { perWindow: 1 } });
  expect((await ask("GET", "users")).bytes.includes(0xe9)).toBe(true);
  expect((await ask("POST", "groups", { groupName: "a" })).status).toBe(200);
  expect((await ask("POST", "groups", { groupName: "b" })).status).toBe(429);
  expect(console_?.writes()).toEqual(["POST groups", "POST groups"]);
});

test("finds the object of an encoded slash, unless it decodes the path first", async () => {
  const content = { lists: { groups: [{ groupName: "pay/eu" }] } };
  const ask = await start({ content });
  expect((await ask("DELETE", "groups/pay%2Feu")).status).toBe(200);
  await console_?.close();
  const other = await start({ content, decodesSlashes: true });
  expect((await other("DELETE", "groups/pay%2Feu")).status).toBe(404);
});
