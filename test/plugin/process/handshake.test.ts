import { selfSign } from "../../../src/plugin/process/certificate";
import { handshakeLine, readHandshake, reattachment } from "../../../src/plugin/process/handshake";
import { thresholdOf } from "../../../src/plugin/serve-plugin";

const COOKIE = {
  TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
};
const PLUGIN_CLIENT_CERT = selfSign().certificate;

test.each<[Record<string, string>, string]>([
  [{}, "hand"],
  [{ TF_PLUGIN_MAGIC_COOKIE: "another" }, "hand"],
  [{ ...COOKIE }, "unfit"],
  [{ ...COOKIE, PLUGIN_CLIENT_CERT: "" }, "unfit"],
  [{ ...COOKIE, PLUGIN_CLIENT_CERT: "no PEM" }, "unfit"],
  [{ ...COOKIE, PLUGIN_CLIENT_CERT, PLUGIN_PROTOCOL_VERSIONS: "5" }, "unfit"],
  [{ ...COOKIE, PLUGIN_CLIENT_CERT, PLUGIN_PROTOCOL_VERSIONS: "5,6" }, "terraform"],
  [{ ...COOKIE, PLUGIN_CLIENT_CERT }, "terraform"],
])("recognizes with %j a start by %s", (environment, startedBy) => {
  expect(readHandshake(environment)).toMatchObject({ startedBy });
});

test("refuses a Node version that is too old", () => {
  expect(readHandshake({ ...COOKIE, PLUGIN_CLIENT_CERT }, "18.20.8")).toEqual({
    startedBy: "unfit",
    reason:
      "The provider cannot be served. Node 20.18.1 or newer is required, but this is Node 18.20.8.",
  });
});

test("formats the handshake line", () => {
  expect(handshakeLine({ Network: "unix", String: "/run/x/s" }, "MIIB")).toBe(
    "1|6|unix|/run/x/s|grpc|MIIB\n",
  );
  expect(handshakeLine({ Network: "tcp", String: "127.0.0.1:4000" }, "MIIB")).toBe(
    "1|6|tcp|127.0.0.1:4000|grpc|MIIB\n",
  );
});

test("formats a value of TF_REATTACH_PROVIDERS", () => {
  expect(reattachment({ Network: "tcp", String: "127.0.0.1:4000" })).toEqual({
    Protocol: "grpc",
    ProtocolVersion: 6,
    Pid: process.pid,
    Test: true,
    Addr: { Network: "tcp", String: "127.0.0.1:4000" },
  });
});

test.each([
  [{}, "warn"],
  [{ TF_LOG: "" }, "warn"],
  [{ TF_LOG: "DEBUG" }, "debug"],
  [{ TF_LOG: "TRACE", TF_LOG_PROVIDER: "error" }, "error"],
  [{ TF_LOG_PROVIDER: "error", TF_LOG_PROVIDER_CWP: "info" }, "info"],
  [{ TF_LOG: "JSON" }, "trace"],
  [{ TF_LOG: "off" }, "off"],
])("logs with %j from level %s", (environment, threshold) => {
  expect(thresholdOf(environment, "cwp")).toBe(threshold);
});
