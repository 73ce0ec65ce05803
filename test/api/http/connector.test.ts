import { createSecureContext } from "node:tls";
import { buildConnector, Pool } from "undici";
import { connector } from "../../../src/api/http/undici-transport";
import { NothingSent } from "../../../src/core/io/proxy";
import { authority, type Keyed } from "../support/certificates";
import { closeAll, serve } from "../support/https-console";

type Authority = Awaited<ReturnType<typeof authority>>;
let ours: Authority;
let other: Authority;
let server: Keyed;

beforeAll(async () => {
  [ours, other] = await Promise.all([authority("Ours"), authority("Other")]);
  server = await ours.issue();
});
afterEach(closeAll);

/** Connects to a console three times and counts the use of each context. */
async function callWith(first: Authority, complete: Authority, certificate = server) {
  const used = { first: 0, complete: 0, made: 0 };
  const firstContext = createSecureContext({ ca: first.ca });
  const connect = connector(
    {
      first: firstContext,
      complete: () => {
        used.made += 1;
        return createSecureContext({ ca: complete.ca });
      },
    },
    (secureContext) => {
      const connectTls = buildConnector({ secureContext });
      return (...call) => {
        used[secureContext === firstContext ? "first" : "complete"] += 1;
        connectTls(...call);
      };
    },
  );
  const { url } = await serve(certificate, (_, response) => {
    response.setHeader("connection", "close").end();
  });
  const pool = new Pool(url, { connect });
  const errors: unknown[] = [];
  for (let call = 0; call < 3; call += 1) {
    await pool
      .request({ method: "GET", path: "/" })
      .then(({ body }) => body.dump())
      .catch((error: unknown) => errors.push(error));
  }
  await pool.destroy();
  return { used, errors };
}

test("tries a configured authority without reading Node's", async () => {
  const { used, errors } = await callWith(ours, other);
  expect(errors).toEqual([]);
  expect(used).toEqual({ first: 3, complete: 0, made: 0 });
});

test("falls back to Node's authorities and keeps using them", async () => {
  const { used, errors } = await callWith(other, ours);
  expect(errors).toEqual([]);
  expect(used).toEqual({ first: 1, complete: 3, made: 1 });
});

test("refuses a console of an unknown authority", async () => {
  const { errors } = await callWith(other, other);
  expect(errors).toHaveLength(3);
  for (const error of errors) expect(error).toBeInstanceOf(NothingSent);
});

test("does not try again after other errors", async () => {
  const { used, errors } = await callWith(ours, ours, await ours.issue({ from: -2, to: -1 }));
  expect(errors).toHaveLength(3);
  expect(used).toEqual({ first: 3, complete: 0, made: 0 });
});
