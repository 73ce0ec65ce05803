import { z } from "zod";
import { RELEASES } from "../../api/release";
import { bool, number, optional, string, type Attributes } from "../schema/attribute";

export const CONFIGURABLE_RELEASES = [...RELEASES, "auto"] as const;

const text = () => string(z.string().min(1));

const environment = (name: string) => `Default: the environment variable \`${name}\`.`;

/** The provider block, as users write it; surface.md fixes the names. */
export const configurationAttributes = {
  base_url: optional(
    text(),
    `Address of the console; https only. A bare host gets \`https://\` and port 8083; a URL keeps its port and its path. ${environment("CONSOLE_URL")}`,
  ),
  username: optional(
    text(),
    `User of the console; \`DOMAIN\\name\` for a directory user who logs in by account name. ${environment("CONSOLE_USERNAME")}`,
  ),
  password: optional(text(), `Password of that user. ${environment("CONSOLE_PASSWORD")}`, {
    sensitive: true,
  }),
  token: optional(
    text(),
    `An access token, sent as it is and never renewed. ${environment("CONSOLE_TOKEN")}`,
    { sensitive: true },
  ),
  client_certificate: optional(
    text(),
    "Client certificate, as PEM text. The common name of its subject must be a user of the console.",
  ),
  client_certificate_file: optional(
    text(),
    `File with the client certificate. ${environment("CONSOLE_CLIENT_CERT_FILE")}`,
  ),
  client_key: optional(text(), "Private key of the client certificate, as PEM text.", {
    sensitive: true,
  }),
  client_key_file: optional(
    text(),
    `File with the private key. ${environment("CONSOLE_CLIENT_KEY_FILE")}`,
  ),
  ca_certificate: optional(
    text(),
    "Certificate authorities that are trusted besides the usual ones, as PEM text: a default install of the console signs its own certificate.",
  ),
  ca_certificate_file: optional(
    text(),
    `File with certificate authorities. ${environment("CONSOLE_CA_FILE")}`,
  ),
  insecure_skip_verify: optional(
    bool(),
    "Takes any server certificate: whoever sits in between reads the credentials. Default: `false`.",
  ),
  auth: optional(
    string(z.enum(["token", "basic", "client_certificate"])),
    "How to authenticate (specification, section 5). Default: by what is given: `token`, the client certificate, or a token for username and password.",
  ),
  release: optional(
    string(z.enum(CONFIGURABLE_RELEASES)),
    `Release that the console runs; the API does not tell. \`auto\` finds out by what the console has and lacks, once, by reading only; it takes 20.09 for 20.12, and on a console that cannot be read yet an apply decides. Default: the environment variable \`CONSOLE_RELEASE\`, else \`20.12\`.`,
  ),
  request_timeout: optional(
    number(z.number().positive()),
    "How long to wait for an answer, in seconds. Default: `30`.",
  ),
  max_retries: optional(
    number(z.int().min(0)),
    "How many times a request is sent again, where that is safe. Default: `4`.",
  ),
  max_concurrency: optional(
    number(z.int().min(1)),
    "How many requests are under way to the console at a time; consoles behind one host share them. Default: `8`.",
  ),
} satisfies Attributes;
