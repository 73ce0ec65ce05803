import { z } from "zod";
import { normalizeBaseUrl } from "../../api/base-url";
import { namesOfPreviousAddress } from "../../api/console-identity";
import { ConfigurationError } from "../../api/errors";
import { RELEASES } from "../../api/release";
import { bool, list, number, optional, string, type Attributes } from "../../core/schema/attribute";

export const CONFIGURABLE_RELEASES = [...RELEASES, "auto"] as const;

const text = () => string(z.string().min(1));

/** A text that `read` accepts. */
const readBy = (read: (text: string) => unknown) =>
  string(
    z.string().superRefine((text, found) => {
      try {
        read(text);
      } catch (failure) {
        if (!(failure instanceof ConfigurationError)) throw failure;
        found.addIssue(failure.message);
      }
    }),
  );

const environment = (name: string) => `Default: the environment variable \`${name}\`.`;

/** The schema of the provider block. */
export const configurationAttributes = {
  base_url: optional(
    readBy(normalizeBaseUrl),
    `Address of the console; https only. A host name alone is completed with \`https://\` and port 8083. A URL keeps its port and path. ${environment("CONSOLE_URL")}`,
  ),
  project: optional(
    text(),
    `Project of the console, which has the objects of a tenant. \`Central Console\` is the first one, as if none is set. Sign-up and license have no project. ${environment("CONSOLE_PROJECT")}`,
  ),
  previous_base_urls: optional(
    list(readBy(namesOfPreviousAddress)),
    `Other addresses of the same console, in any order, as \`base_url\` or as the attribute \`console\` of an object has them. Objects that are stored for one of them are not refused. ${environment("CONSOLE_PREVIOUS_URLS")} It separates addresses by commas.`,
  ),
  console_id: optional(
    string(z.string().regex(/^[\w.-]+$/, 'must consist of letters, digits, ".", "_" and "-"')),
    `Name of a console without a stable address, such as one behind a tunnel. Stored objects belong to this name instead of the address. Default for the console of \`CONSOLE_URL\`: the environment variable \`CONSOLE_ID\`.`,
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
    `Access token, sent unchanged and never renewed. ${environment("CONSOLE_TOKEN")}`,
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
    "Certificate authorities to trust in addition to those of the system, as PEM text. A default installation of the console signs its own certificate.",
  ),
  ca_certificate_file: optional(
    text(),
    `File with certificate authorities. ${environment("CONSOLE_CA_FILE")}`,
  ),
  insecure_skip_verify: optional(
    bool(),
    "Accept any server certificate. Anybody between this machine and the console can then read the credentials. Default: `false`.",
  ),
  auth: optional(
    string(z.enum(["token", "basic", "client_certificate"])),
    "Authentication method (specification, section 5). Default: the first that is set of `token`, client certificate, and a token for username and password.",
  ),
  release: optional(
    string(z.enum(CONFIGURABLE_RELEASES)),
    `Release that the console runs, which the API does not report. \`auto\` detects it once, from read requests only. It cannot distinguish 20.09 from 20.12, and if the console is not readable at plan time, the apply detects the release. Default: the environment variable \`CONSOLE_RELEASE\`, else \`20.12\`.`,
  ),
  request_timeout: optional(
    number(z.number().positive()),
    "Timeout of a request, in seconds. Default: `30`.",
  ),
  max_retries: optional(
    number(z.int().min(0)),
    "Maximum number of retries of a request that is safe to repeat. Default: `4`, and no maximum while the console refuses requests because there are too many: `retry_timeout` ends those.",
  ),
  retry_timeout: optional(
    number(z.number().min(0)),
    "How long a console may refuse all requests because there are too many (429, or 503 to a request that is safe to repeat), in seconds. While it accepts some, requests wait and are sent again. Default: `300`.",
  ),
  max_concurrency: optional(
    number(z.int().min(1)),
    "Maximum number of concurrent requests to the console. Consoles on the same host share the limit. Default: `8`.",
  ),
} satisfies Attributes;
