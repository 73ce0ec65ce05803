import type { EndpointName } from "../../src/api/endpoints";
import type { RequestEvent } from "../../src/api/http/exchange";
import { ApiError } from "../../src/api/errors";
import { NothingSent } from "../../src/core/io/proxy";
import { type Answer, scripted } from "./support/scripted-console";

/** Fails in the given ways, in order, then answers. */
function failing(...failures: (Answer | Error)[]) {
  return (_: unknown, number: number): Answer => {
    const failure = failures[number - 1];
    if (failure instanceof Error) throw failure;
    return failure ?? { body: [] };
  };
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

const reset = failure("ECONNRESET");
const noConnection = new NothingSent(reset);
const safe: EndpointName = "putCompliancePolicies";
const unsafe: EndpointName = "addRegistrySpecification";

test.each([
  ["no connection", noConnection],
  ["a refused connection", failure("ECONNREFUSED")],
  ["a connection that takes too long", failure("UND_ERR_CONNECT_TIMEOUT")],
])("retries any request after %s", async (_, first) => {
  for (const name of [safe, unsafe]) {
    const { client, calls, slept } = scripted(failing(first));
    await client.request(name, { body: [] });
    expect(calls()).toHaveLength(2);
    expect(slept).toEqual([250]);
  }
});

test("retries any request after 429, with a second between the first two", async () => {
  for (const name of [safe, unsafe]) {
    const { client, calls, slept } = scripted(failing({ status: 429, body: "<html>slow</html>" }));
    await client.request(name, { body: [] });
    expect(calls()).toHaveLength(2);
    expect(slept).toEqual([1125]);
  }
});

test.each([
  ["a reset connection", reset],
  ["a connection that was closed", failure("UND_ERR_SOCKET")],
  ["502", { status: 502 }],
  ["503", { status: 503 }],
  ["504", { status: 504 }],
])("retries only requests that are safe to replay after %s", async (_, first) => {
  const safely = scripted(failing(first));
  await safely.client.request(safe, { body: [] });
  expect(safely.calls()).toHaveLength(2);

  const once = scripted(failing(first));
  await expect(once.client.request(unsafe, { body: {} })).rejects.toThrow();
  expect(once.calls()).toHaveLength(1);
});

test("decides by release which requests are safe to replay", async () => {
  const replaced = scripted(failing(reset), { release: "20.12" });
  await replaced.client.request("replaceServerlessScan", { body: [] });
  expect(replaced.calls()).toHaveLength(2);

  const added = scripted(failing(reset), { release: "next" });
  await expect(added.client.request("addServerlessScanScope", { body: {} })).rejects.toThrow();
  expect(added.calls()).toHaveLength(1);
});

test("retries when the body breaks off", async () => {
  let attempts = 0;
  const { client } = scripted(() => ({}), {
    transport: () => {
      attempts += 1;
      return Promise.resolve({ status: 200, headers: {}, body: text(attempts > 1 ? "[]" : null) });
    },
  });
  expect(await client.getPolicies()).toEqual([]);
  expect(attempts).toBe(2);
});

async function* text(complete: string | null): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(complete ?? "[");
  if (complete === null) throw failure("UND_ERR_SOCKET");
}

test.each(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"])(
  "%s is not tried again",
  async (code) => {
    const { client, calls } = scripted(failing(failure(code)));
    await expect(client.getPolicies()).rejects.toMatchObject({ code: "CONSOLE_TIMEOUT" });
    expect(calls()).toHaveLength(1);
  },
);

test("reports the last error with the number of attempts", async () => {
  const { client, calls, slept } = scripted(() => ({ status: 502, body: { err: "starting" } }));
  const error = await client.getPolicies().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 502,
    serverMessage: "starting",
    message:
      "GET https://console:8083/api/v1/policies answered 502 Bad Gateway at the 5th attempt: starting",
  });
  expect(calls()).toHaveLength(5);
  expect(slept).toEqual([250, 500, 1000, 2000]);
});

test.each([429, 502, 503])("retries %d as often as the caller sets", async (status) => {
  const { client, calls } = scripted(() => ({ status }), { maxRetries: 1 });
  await expect(client.getPolicies()).rejects.toMatchObject({
    ended: { setting: "max_retries" },
  });
  expect(calls()).toHaveLength(2);
});

test("honors Retry-After in seconds and as a date", async () => {
  const { client, slept } = scripted(
    failing(
      { status: 429, headers: { "retry-after": "7" } },
      { status: 503, headers: { "retry-after": new Date(20_000).toUTCString() } },
    ),
  );
  await client.getPolicies();
  expect(slept).toEqual([7125, 20_000 - 7125 + 125]);
});

test("does not wait for a Retry-After beyond the limit", async () => {
  const { client, calls, slept } = scripted(
    failing({ status: 429, headers: { "retry-after": "3600" } }),
  );
  await expect(client.getPolicies()).rejects.toMatchObject({ status: 429 });
  expect(calls()).toHaveLength(1);
  expect(slept).toEqual([]);
});

test("retries the fetch of a token like any request", async () => {
  const { client, calls } = scripted(
    (_, number) => (number === 1 ? { status: 503 } : { body: { token: "t" } }),
    { credentials: { method: "token-login", username: "a", password: "p" } },
  );
  await client.authenticate();
  expect(calls()).toHaveLength(2);
});

describe("the caller's signal", () => {
  test("ends the wait between attempts", async () => {
    const abort = new AbortController();
    const { client, calls } = scripted(
      () => {
        setImmediate(() => {
          abort.abort(new Error("enough"));
        });
        return { status: 429, headers: { "retry-after": "60" } };
      },
      { sleep: undefined },
    );
    await expect(client.getPolicies(abort.signal)).rejects.toMatchObject({
      code: "CONSOLE_ABORTED",
      cause: expect.objectContaining({ message: "enough" }) as unknown,
    });
    expect(calls()).toHaveLength(1);
  });

  test("prevents the request if it is already aborted", async () => {
    const { client, calls } = scripted(() => ({}));
    await expect(client.getPolicies(AbortSignal.abort())).rejects.toMatchObject({
      code: "CONSOLE_ABORTED",
    });
    expect(calls()).toEqual([]);
  });

  test("reaches the transport", async () => {
    const abort = new AbortController();
    const { client } = scripted(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener("abort", () => {
            reject(new Error("the transport's own words"));
          });
          abort.abort();
        }),
    );
    await expect(client.getPolicies(abort.signal)).rejects.toMatchObject({
      code: "CONSOLE_ABORTED",
    });
  });
});

test("limits concurrent requests", async () => {
  let running = 0;
  let most = 0;
  const { client } = scripted(
    async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { body: [] };
    },
    { maxConcurrency: 3 },
  );
  await Promise.all(Array.from({ length: 12 }, () => client.getPolicies()));
  expect(most).toBe(3);
});

test("reports every attempt", async () => {
  const events: RequestEvent[] = [];
  const { client } = scripted(failing(reset, { status: 429 }), {
    baseUrl: "https://h/t",
    onRequest: (event) => events.push(event),
  });
  await client.request("getContainers", { query: { search: "x" } });
  const common = {
    endpoint: "getContainers",
    method: "GET",
    path: "/t/api/v1/containers",
    durationMs: 0,
  };
  expect(events).toEqual([
    { ...common, attempt: 1, result: { code: "CONSOLE_UNREACHABLE" } },
    { ...common, attempt: 2, result: { status: 429 } },
    { ...common, attempt: 3, result: { status: 200 } },
  ]);
});
