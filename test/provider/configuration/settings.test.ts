import { configurationAttributes } from "../../../src/provider/configuration/configuration-attributes";
import type { Environment } from "../../../src/core/environment";
import { configOf } from "../../../src/core/schema/types";
import { mergeEnvironment } from "../../../src/provider/configuration/settings";
import type { ObjectValue } from "../../../src/core/values";
import { complete } from "../support/engine";

const merge = (block: ObjectValue, environment: Environment) =>
  mergeEnvironment(
    configOf(configurationAttributes, complete(configurationAttributes, block)),
    environment,
  );

const all = {
  CONSOLE_URL: "https://env",
  CONSOLE_RELEASE: "20.04",
  CONSOLE_USERNAME: "env-user",
  CONSOLE_PASSWORD: "env-password",
  CONSOLE_TOKEN: "env-token",
  CONSOLE_CLIENT_CERT_FILE: "/env/cert",
  CONSOLE_CLIENT_KEY_FILE: "/env/key",
  CONSOLE_CA_FILE: "/env/ca",
  CONSOLE_PROJECT: "env-project",
  CONSOLE_PREVIOUS_URLS: "https://before,https://earlier",
  CONSOLE_ID: "env-console",
};

test("takes all settings of an empty block from the environment", () => {
  expect(merge({}, all)).toEqual({
    baseUrl: "https://env",
    release: "20.04",
    auth: undefined,
    username: "env-user",
    password: "env-password",
    token: "env-token",
    clientCertificate: { file: "/env/cert", attribute: "client_certificate_file" },
    clientKey: { file: "/env/key", attribute: "client_key_file" },
    caCertificate: { file: "/env/ca", attribute: "ca_certificate_file" },
    project: "env-project",
    previousBaseUrls: ["https://before", "https://earlier"],
    consoleId: "env-console",
  });
});

test("prefers settings of the block", () => {
  const block = {
    base_url: "https://block",
    release: "next",
    username: "block-user",
    password: "block-password",
    ca_certificate: "PEM",
  };
  expect(merge(block, all)).toMatchObject({
    baseUrl: "https://block",
    release: "next",
    username: "block-user",
    password: "block-password",
    caCertificate: { text: "PEM", attribute: "ca_certificate" },
  });
});

const credentials = (block: ObjectValue, environment: Environment = all) => {
  const { username, password, token, clientCertificate, clientKey } = merge(block, environment);
  return {
    username,
    password,
    token,
    certificate: clientCertificate?.file ?? clientCertificate?.text,
    key: clientKey?.file ?? clientKey?.text,
  };
};
const none = {
  username: undefined,
  password: undefined,
  token: undefined,
  certificate: undefined,
  key: undefined,
};

test.each<[string, ObjectValue, object]>([
  ["a token", { token: "t" }, { token: "t" }],
  ["a username", { username: "u" }, { username: "u", password: "env-password" }],
  ["a password", { password: "p" }, { username: "env-user", password: "p" }],
  ["a certificate", { client_certificate: "c" }, { certificate: "c", key: "/env/key" }],
  [
    "a certificate's file",
    { client_certificate_file: "/c" },
    { certificate: "/c", key: "/env/key" },
  ],
  ["a key", { client_key: "k" }, { certificate: "/env/cert", key: "k" }],
  ["the basic method", { auth: "basic" }, { username: "env-user", password: "env-password" }],
  [
    "the certificate method",
    { auth: "client_certificate" },
    { certificate: "/env/cert", key: "/env/key" },
  ],
  [
    "the basic method beside a token",
    { auth: "basic", token: "t" },
    { username: "env-user", password: "env-password", token: "t" },
  ],
])("ignores other credentials of the environment if the block has %s", (_, block, expected) => {
  expect(credentials(block)).toEqual({ ...none, ...expected });
});

test("ignores empty variables and trims all but passwords", () => {
  expect(
    credentials({}, { CONSOLE_USERNAME: "  ", CONSOLE_PASSWORD: "", CONSOLE_TOKEN: "\n" }),
  ).toEqual(none);
  expect(
    credentials({}, { CONSOLE_USERNAME: " u ", CONSOLE_PASSWORD: " p ", CONSOLE_TOKEN: "t\n" }),
  ).toEqual({ ...none, username: "u", password: " p ", token: "t" });
});
