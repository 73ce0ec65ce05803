import { explainFailure } from "../../../src/api/http/failure";
import { NothingSent } from "../../../src/core/io/proxy";

const origin = "https://console:8083";
const url = `${origin}/api/v1/policies`;

function explain(error: unknown, secrets: string[] = []) {
  return explainFailure(error, { url, secrets });
}

function coded(code: string, message = "in Node's words"): Error {
  return Object.assign(new Error(message), { code });
}

test.each([
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "unknown-authority"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "unknown-authority"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "unknown-authority"],
  ["CERT_SIGNATURE_FAILURE", "unknown-authority"],
  ["CERT_HAS_EXPIRED", "expired"],
  ["CERT_NOT_YET_VALID", "not-yet-valid"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "hostname-mismatch"],
  ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "client-certificate"],
  ["ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE", "client-certificate"],
  ["ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", "client-certificate"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "protocol"],
  ["EPROTO", "protocol"],
])("reports %s as a TLS problem: %s", (code, problem) => {
  for (const error of [coded(code), new NothingSent(coded(code))]) {
    expect(explain(error)).toMatchObject({ code: "CONSOLE_TLS", problem, cause: { code } });
    expect(explain(error).message).toMatch(/^TLS with https:\/\/console:8083 failed/);
  }
});

test("names the hosts of a certificate that is for others", () => {
  const names = "DNS:a.example.com, DNS:*.b.example.com, IP Address:10.0.0.1";
  const mismatch = (subjectaltname: string) =>
    Object.assign(coded("ERR_TLS_CERT_ALTNAME_INVALID"), { cert: { subjectaltname } });
  expect(explain(mismatch(names)).message).toMatch(
    / It is for a\.example\.com, \*\.b\.example\.com, 10\.0\.0\.1\.$/,
  );
  const many = Array.from({ length: 7 }, (_, at) => `DNS:h${at}`).join(", ");
  expect(explain(mismatch(many)).message).toMatch(/ h0, h1, h2, h3, h4 and 2 more\.$/);
});

test.each([
  ["ECONNREFUSED", false, /nothing listens/],
  ["ENOTFOUND", false, /does not resolve/],
  ["EAI_AGAIN", false, /at the moment/],
  ["ECONNRESET", true, /reset/],
  ["UND_ERR_SOCKET", true, /closed/],
  ["HPE_INVALID_CONSTANT", true, /answer is not HTTP/],
  ["EWHATEVER", true, /in Node's words/],
])("reports %s as unreachable; maybe sent: %j", (code, maybeSent, message) => {
  const error = explain(coded(code));
  expect(error).toMatchObject({ code: "CONSOLE_UNREACHABLE", maybeSent });
  expect(error.message).toMatch(message);
  expect(error.message).toContain(`${maybeSent ? url : origin} cannot be reached`);
});

test("reports that nothing was sent for any failure to connect", () => {
  expect(explain(new NothingSent(coded("ECONNRESET")))).toMatchObject({ maybeSent: false });
  expect(explain(new NothingSent(coded("EWHATEVER")))).toMatchObject({ maybeSent: false });
});

test.each([
  ["UND_ERR_CONNECT_TIMEOUT", "connect"],
  ["ETIMEDOUT", "connect"],
  ["UND_ERR_HEADERS_TIMEOUT", "headers"],
  ["UND_ERR_BODY_TIMEOUT", "body"],
])("reports %s as a time-out: %s", (code, phase) => {
  expect(explain(coded(code))).toMatchObject({ code: "CONSOLE_TIMEOUT", phase });
});

test("reports a value that is not an error as unreachable", () => {
  expect(explain("thrown text")).toMatchObject({ code: "CONSOLE_UNREACHABLE", maybeSent: true });
});

test("keeps code and message of the cause only, without secrets", () => {
  const error = Object.assign(coded("EWHATEVER", "got canary-1234"), { data: "canary" });
  const explained = explain(error, ["canary-1234"]);
  expect(explained.message).toContain("got [redacted]");
  expect(explained.cause).toMatchObject({ code: "EWHATEVER", message: "got [redacted]" });
  expect(explained.cause).not.toHaveProperty("data");
});

test("throws programming errors unchanged", () => {
  const fault = new TypeError("dispatcher.request is not a function");
  expect(() => explain(fault)).toThrow(fault);
});
