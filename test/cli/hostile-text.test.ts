import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { authority } from "../api/support/certificates";
import { closeAll, serve } from "../api/support/https-console";
import { openConsole } from "./console-terminal";
import { check } from "./hostile";
import { temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

async function run(directory: string, argv: readonly string[], environment = {}) {
  const terminal = new TestTerminal({ directory, environment });
  await terminal.run(...argv);
  return terminal.out + terminal.err;
}

/** A folder with one stack, and its state with these members. */
function folderWith(state: object): string {
  const directory = temporaryFolder();
  writeStacks(directory, { prod: { resource: { null_resource: { gate: {} } } } });
  const file = { version: 4, terraform_version: "1.11.4", serial: 1, lineage: "l", outputs: {} };
  const text = JSON.stringify({ ...file, resources: [], ...state });
  writeFileSync(join(directory, "terraform.prod.tfstate"), text);
  return directory;
}
const GIVEN = ["--out-dir", "cdktf.out"];

function resourceOf(text: string) {
  const instance = { attributes: { [text]: text, list: [text] }, index_key: text };
  const provider = 'provider["registry.terraform.io/hashicorp/null"]';
  const mode = "managed";
  return {
    resources: [{ mode, type: "null_resource", name: text, provider, instances: [instance] }],
  };
}

describe("names in a state", () => {
  test.each([
    { name: "show", argv: ["show"] },
    { name: "state list", argv: ["state", "list"] },
    { name: "plan", argv: ["plan"] },
    { name: "destroy", argv: ["destroy", "--auto-approve"] },
  ])("of $name", ({ argv }) =>
    check((text) => run(folderWith(resourceOf(text)), [...argv, ...GIVEN])),
  );

  test("of outputs", () =>
    check((text) => {
      const outputs = { [text]: { value: [text], type: ["list", "string"] } };
      return run(folderWith({ outputs }), ["output", ...GIVEN]);
    }));
});

test("the members of a lock", () =>
  check((text) => {
    const directory = folderWith({});
    const lock = { ID: text, Operation: text, Who: text, Created: text, Info: text, Path: text };
    writeFileSync(join(directory, ".terraform.prod.tfstate.lock.info"), JSON.stringify(lock));
    return run(directory, ["plan", ...GIVEN]);
  }));

describe("arguments", () => {
  test.each([
    { name: "a command", argv: (text: string) => [text] },
    { name: "an option", argv: (text: string) => ["plan", `--${text}`] },
    { name: "a value", argv: (text: string) => ["plan", "--parallelism", text] },
    { name: "a stack", argv: (text: string) => ["plan", text, ...GIVEN] },
    { name: "a file of variables", argv: (text: string) => ["plan", "--var-file", text, ...GIVEN] },
    { name: "a target", argv: (text: string) => ["plan", "--target", text, ...GIVEN] },
    { name: "a file", argv: (text: string) => ["show", text] },
    { name: "the folder of stacks", argv: (text: string) => ["plan", "--out-dir", text] },
    { name: "a shell", argv: (text: string) => ["completion", text] },
    { name: "a fault", argv: (text: string) => ["simulate", "--fault", text] },
  ])("that is $name", ({ argv }) => check((text) => run(folderWith({}), argv(text))));
});

test("the name of a folder that a command writes to", () =>
  check((text) => {
    const name = text.replaceAll(/[\0/]/g, "");
    return run(temporaryFolder(), ["init", name, "--no-install", "--package", "1.0.0"]);
  }));

test("the name of a plan file", () =>
  check((text) => run(folderWith({}), ["plan", "--out", text.replaceAll("/", ""), ...GIVEN])));

describe("the environment", () => {
  test("in TF_WORKSPACE", () =>
    check((text) => run(folderWith({}), ["plan", ...GIVEN], { TF_WORKSPACE: text })));

  const COMPLETE = { CONSOLE_URL: "https://127.0.0.1:1", CONSOLE_TOKEN: "t" };
  test.each(["CONSOLE_URL", "CONSOLE_CA_FILE", "CONSOLE_CLIENT_CERT_FILE", "CONSOLE_RELEASE"])(
    "in %s",
    (name) =>
      check((text) => run(temporaryFolder(), ["adopt"], { ...COMPLETE, [name]: text }), "unnamed"),
  );
});

describe("the answers of a console", () => {
  let environment: Record<string, string>;
  let answer: { readonly status: number; readonly body: string };
  beforeAll(async () => {
    const root = await authority();
    const { url } = await serve(await root.issue(), (request, response) => {
      const isToken = request.url === "/api/v1/authenticate";
      response.writeHead(isToken ? 200 : answer.status, { "content-type": "application/json" });
      response.end(isToken ? JSON.stringify({ token: "t" }) : answer.body);
    });
    const caFile = join(temporaryFolder(), "ca.pem");
    writeFileSync(caFile, root.ca);
    environment = { CONSOLE_URL: url, CONSOLE_CA_FILE: caFile, CONSOLE_RELEASE: "20.12" };
    Object.assign(environment, { CONSOLE_USERNAME: "admin", CONSOLE_PASSWORD: "long-secret" });
  });
  afterAll(closeAll);

  const commands = [["adopt"], ["scan"], ["upgrade", "--console"], ["download", "twistcli"]];

  test.each(commands)("that refuse %s", (...argv) =>
    check(async (text) => {
      answer = { status: 403, body: JSON.stringify({ err: text }) };
      return run(temporaryFolder(), argv, environment);
    }, "unnamed"),
  );

  test.each(commands)("to %s, of a shape that nobody knows", (...argv) =>
    check(async (text) => {
      answer = { status: 200, body: JSON.stringify({ [text]: text, rules: [{ name: text }] }) };
      return run(temporaryFolder(), argv, environment);
    }, "unnamed"),
  );

  describe.each([["plan"], ["apply", "--auto-approve"]])("to %s", (...argv) => {
    const POLICIES = { cwp_compliance_policy_set: { main: { policies: [] } } };

    test.each<[string, number, (text: string) => object]>([
      ["that refuse it", 403, (text) => ({ err: text })],
      ["of a shape that nobody knows", 200, (text) => ({ [text]: text })],
      ["with names", 200, (text) => ({ rules: [{ name: text, effect: "alert", owner: "admin" }] })],
    ])("%s", (_, status, body) =>
      check(async (text) => {
        answer = { status, body: JSON.stringify(body(text)) };
        const directory = temporaryFolder();
        writeStacks(directory, { prod: { provider: { cwp: {} }, resource: POLICIES } });
        return run(directory, [...argv, ...GIVEN], environment);
      }, "unnamed"),
    );
  });

  test("to adopt, with two policies of a name", async () => {
    const { simulator, terminal } = await openConsole();
    const [{ console }] = simulator.consoles;
    await check(async (text) => {
      const policy = { owner: "admin", effect: "alert", collections: [{ name: "All" }] };
      await console.edit({
        policies: [
          { ...policy, name: text },
          { ...policy, name: text },
        ],
      });
      return run(temporaryFolder(), ["adopt"], terminal.environment);
    });
    await simulator.close();
  });
});

describe("the output of a program", () => {
  /** A command that prints a text on both outputs. */
  function printing(directory: string, text: string, code = 0): string {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "said"), text);
    return `cat said; cat said >&2; exit ${code}`;
  }

  test.each([0, 1])("that is an app with exit code %d", (code) =>
    check((text) => {
      const directory = temporaryFolder();
      return run(directory, ["synth", "--app", printing(directory, text, code)]);
    }, "kept"),
  );

  test("that is an app whose constructs have errors", () =>
    check((text) => {
      const directory = temporaryFolder();
      const said = `${text}\nError: Validation failed with the following errors:\n  [a/${text}] x`;
      return run(directory, ["synth", "--app", printing(directory, said, 1)]);
    }, "kept"));

  test("that finds secrets", () =>
    check((text) => {
      const directory = folderWith({});
      const variable = { secret: { type: "string", sensitive: true, ephemeral: true } };
      writeStacks(directory, { prod: { variable } });
      const command = join(directory, "secrets.sh");
      writeFileSync(command, `#!/bin/sh\n${printing(directory, text)}\n`, { mode: 0o755 });
      return run(directory, ["plan", ...GIVEN, "--secrets-command", command]);
    }, "kept"));

  test("that is the check between waves", () =>
    check((text) => {
      const directory = folderWith({});
      const second = { resource: { null_resource: { gate: {} } } };
      writeStacks(directory, { prod: second, test: second });
      const command = printing(directory, text, 1);
      const argv = ["apply", "--auto-approve", ...GIVEN, "--waves", "1,100%", "--check", command];
      return run(directory, argv);
    }, "kept"));

  test("that is Terraform, with a log", () =>
    check((text) => {
      const directory = folderWith({});
      const bin = join(directory, "bin");
      const said = printing(bin, text, 1);
      writeFileSync(join(bin, "terraform"), `#!/bin/sh\ncd ${bin}\n${said}\n`, { mode: 0o755 });
      const environment = { PATH: `${bin}:${process.env.PATH ?? ""}`, TF_LOG: "trace" };
      return run(directory, ["plan", "--engine", "terraform", ...GIVEN], environment);
    }, "kept"));

  test("that runs with an embedded console", () =>
    check((text) => {
      const directory = temporaryFolder();
      const command = printing(directory, text);
      return run(directory, ["simulate", "--", "sh", "-c", command]);
    }, "kept"));
});
