import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { emptyState } from "../../src/core/documents/state";
import { openBackend } from "../../src/language/config/open-backend";
import { describeWithMoto, Moto } from "../object-stores/moto";
import { freshFolder } from "./folder";
import { withInstance } from "./object-store-promises";

jest.setTimeout(120_000);

/** The metadata of a machine with a role. */
function metadata(asked: string[]): Server {
  const below = "/latest/meta-data/iam/security-credentials/";
  const answers: Readonly<Record<string, string>> = {
    "PUT /latest/api/token": "token-of-the-machine",
    [`GET ${below}`]: "states",
    [`GET ${below}states`]: JSON.stringify({
      Code: "Success",
      AccessKeyId: "machine",
      SecretAccessKey: "words",
      Token: "session-of-the-machine",
      Expiration: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  };
  return createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    const answer = answers[`${method} ${url}`];
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  });
}

describeWithMoto("the credentials of a state in S3", () => {
  let moto: Moto;
  beforeAll(async () => {
    moto = await Moto.open();
  });
  afterAll(() => moto.close());

  const present = process.env;
  afterEach(() => {
    process.env = present;
  });

  /** Writes a state, and returns the authorizations of the requests for it. */
  async function write(key: string, environment: Record<string, string>, settings = {}) {
    // The library reads the variables of the process.
    process.env = { ...present, ...environment };
    const directory = freshFolder();
    const before = moto.relay.headers.length;
    const at = { directory, workspace: "default", environment, workingDirectory: directory };
    const { backend } = openBackend({ backend: moto.backend(key, settings) }, at);
    expect((await backend?.read())?.diagnostics).toEqual([]);
    const written = await backend?.write(withInstance(emptyState(), "t_t.a"));
    expect(written?.diagnostics).toEqual([]);
    expect(await moto.json(key)).toMatchObject({ serial: 1 });
    const sent = moto.relay.headers.slice(before);
    return sent.map(({ authorization }) => String(authorization)).join("\n");
  }

  test("are those of the machine's metadata where nothing else has some", async () => {
    const asked: string[] = [];
    const server = metadata(asked);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const endpoint = { AWS_EC2_METADATA_SERVICE_ENDPOINT: `http://127.0.0.1:${port}` };
      expect(await write("metadata", endpoint)).toContain("Credential=machine/");
      expect(asked).toContain("PUT /latest/api/token");
    } finally {
      server.close();
    }
  });

  test.each([
    ["the backend block", true],
    ["the environment", false],
  ])("are those of a web identity that %s names", async (_, isBlock) => {
    const file = join(freshFolder(), "token");
    writeFileSync(file, "token-of-the-pipeline");
    const role_arn = "arn:aws:iam::123456789012:role/states";
    const web = { role_arn, web_identity_token_file: file };
    const sent = isBlock
      ? await write("web-block", {}, { assume_role_with_web_identity: web })
      : await write(
          "web",
          { AWS_ROLE_ARN: role_arn, AWS_WEB_IDENTITY_TOKEN_FILE: file },
          // Credentials are kept for equal settings: those of the metadata are for another region.
          { region: "us-west-2" },
        );
    expect(sent).toMatch(/Credential=ASIA\w+\//);
  });
});
