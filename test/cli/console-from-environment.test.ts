import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  consoleFromEnvironment,
  diagnoseCall,
} from "../../src/cli/actions/console/console-from-environment";
import { ApiError, TlsError, TimeoutError, UnreachableError } from "../../src/api/errors";
import { formatPath } from "../../src/core/diagnostics";
import { startSimulator } from "../../src/simulator";
import { temporaryFolder } from "./stack-files";

const COMPLETE = {
  CONSOLE_URL: "console.example.com",
  CONSOLE_USERNAME: "admin",
  CONSOLE_PASSWORD: "long-secret",
};
/** Terms of provider blocks. */
const OF_STACKS = /provider|block|base_url|client_|ca_certificate|insecure_|max_|request_/;

const open = (environment: Record<string, string>) =>
  consoleFromEnvironment(environment, () => undefined);

test("an address and credentials configure a console", async () => {
  const { console, diagnostics } = await open({ ...COMPLETE, CONSOLE_RELEASE: "20.09" });
  expect(diagnostics).toEqual([]);
  expect(console?.client.baseUrl).toBe("https://console.example.com:8083");
  expect(console?.client.release).toBe("20.09");
  await console?.client.close();
});

test("the console uses the token, authority and release of the environment", async () => {
  const signedUp = { username: "admin", password: "long-secret" };
  const simulator = await startSimulator({ signedUp, licensed: true, release: "20.04" });
  const { console } = await open({
    ...COMPLETE,
    CONSOLE_URL: simulator.consoles[0].url,
    CONSOLE_CA_FILE: simulator.caFile,
    CONSOLE_RELEASE: "20.04",
  });
  await expect(console?.client.getRuntimePolicies()).resolves.toEqual(expect.anything());
  await console?.client.close();
  await simulator.close();
});

describe("errors name the environment variables", () => {
  const pem = join(temporaryFolder(), "some.pem");
  writeFileSync(pem, readFileSync(__filename));

  test.each<[string, Record<string, string>, string]>([
    [
      "no address",
      { CONSOLE_TOKEN: "t" },
      "Missing console address | CONSOLE_URL | Set the environment variable CONSOLE_URL.",
    ],
    [
      "no credentials",
      { CONSOLE_URL: "c" },
      "Missing credentials |  | Set CONSOLE_USERNAME and CONSOLE_PASSWORD, CONSOLE_TOKEN, or CONSOLE_CLIENT_CERT_FILE and CONSOLE_CLIENT_KEY_FILE in the environment.",
    ],
    [
      "an invalid address",
      { ...COMPLETE, CONSOLE_URL: "http://c" },
      "Invalid environment variable | CONSOLE_URL | ",
    ],
    ["an unknown release", { ...COMPLETE, CONSOLE_RELEASE: "19.11" }, "CONSOLE_RELEASE | "],
    [
      "a missing file",
      { ...COMPLETE, CONSOLE_CA_FILE: "/no/such.pem" },
      "File cannot be read | CONSOLE_CA_FILE | /no/such.pem: no such file or directory.",
    ],
    [
      "a file without a certificate",
      { ...COMPLETE, CONSOLE_CA_FILE: pem },
      "Invalid environment variable | CONSOLE_CA_FILE | The CA given by CONSOLE_CA_FILE ",
    ],
    [
      "a certificate without a key",
      { CONSOLE_URL: "c", CONSOLE_CLIENT_CERT_FILE: pem },
      "Incomplete client certificate | CONSOLE_CLIENT_KEY_FILE | A client certificate needs its private key: CONSOLE_CLIENT_KEY_FILE is not set.",
    ],
  ])("%s", async (_, environment, expected) => {
    const { console, diagnostics } = await open(environment);
    expect(console).toBeUndefined();
    const errors = diagnostics.map(
      ({ summary, path = [], detail }) => `${summary} | ${formatPath(path)} | ${detail}`,
    );
    expect(errors.join("\n")).toContain(expected);
    expect(errors.join("\n")).not.toMatch(OF_STACKS);
  });
});

test.each([
  new UnreachableError("refused", false),
  new TimeoutError("slow", "headers"),
  ...[404, 405, 429].map((status) => {
    return new ApiError("getContainers", "no", { status, serverMessage: "" });
  }),
  new TlsError(
    "unknown-authority",
    "Set ca_certificate or CONSOLE_CA_FILE to the authority that signed it; insecure_skip_verify disables verification.",
  ),
])("the error of a failed call names them too: $name $status", (failure) => {
  expect(diagnoseCall(failure).detail).not.toMatch(OF_STACKS);
});
