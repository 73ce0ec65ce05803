import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorsOf } from "./support/diagnostics";
import { Workspace } from "./support/workspace";

// The output of a synth is missing or unreadable: reported with the file, and before anything
// is read from the console or written to the disk.

let workspace: Workspace;

beforeAll(async () => {
  workspace = await Workspace.open();
});
beforeEach(() => {
  workspace.write(workspace.stack());
});
afterAll(() => workspace.close());

const manifest = () => join(workspace.outDir, "manifest.json");
const NO_STACK_FILE =
  'No configuration of stack "prod" |  | There is no ~/cdktf.out/stacks/prod/cdk.tf.json. Synthesize the app again.';
const NO_MANIFEST =
  "No synthesized stacks |  | There is no manifest.json in ~/cdktf.out. Synthesize the app first, or name the folder that holds it with --out-dir.";
const badJson = (file: string, line: number, column: number) =>
  `Invalid JSON |  | ~/cdktf.out/${file}, line ${line}, column ${column}: the file is not valid JSON from here on. Correct it there.`;
const STACK_FILE = "stacks/prod/cdk.tf.json";

const cases: [string, () => void, string[]][] = [
  [
    "no cdk.tf.json",
    () => {
      rmSync(workspace.stackFile);
    },
    [NO_STACK_FILE],
  ],
  [
    "no manifest",
    () => {
      rmSync(manifest());
    },
    [NO_MANIFEST],
  ],
  [
    "no folder",
    () => {
      rmSync(workspace.outDir, { recursive: true });
    },
    [NO_MANIFEST],
  ],
  [
    "a comma too many",
    () => {
      writeFileSync(workspace.stackFile, '{\n  "resource": {\n    "a": 1,\n  }\n}');
    },
    [badJson(STACK_FILE, 4, 3)],
  ],
  [
    "half of it",
    () => {
      writeFileSync(workspace.stackFile, JSON.stringify(workspace.stack(), null, 2).slice(0, 99));
    },
    [
      expect.stringMatching(
        /^Invalid JSON \| {2}\| .*cdk\.tf\.json, line \d+, column \d+:/,
      ) as string,
    ],
  ],
  [
    "an empty file",
    () => {
      writeFileSync(workspace.stackFile, "");
    },
    [
      "Invalid JSON |  | ~/cdktf.out/stacks/prod/cdk.tf.json is empty. Write it again, or restore it.",
    ],
  ],
  [
    "another kind of JSON",
    () => {
      writeFileSync(workspace.stackFile, "[]");
    },
    ["Incorrect value type | with prod | It must be an object."],
  ],
  [
    "blocks that are none",
    () => {
      writeFileSync(workspace.stackFile, '{"resource": "x", "provider": 5}');
    },
    [
      "Incorrect value type | with provider | It must be an object.",
      "Incorrect value type | with resource | It must be an object.",
    ],
  ],
  [
    "a manifest that is no JSON",
    () => {
      writeFileSync(manifest(), "{");
    },
    [badJson("manifest.json", 1, 2)],
  ],
  [
    "a manifest of another form",
    () => {
      writeFileSync(manifest(), '{"version": 1, "stacks": []}');
    },
    [
      'Invalid manifest | at stacks | ~/cdktf.out/manifest.json: "stacks" must be an object. Synthesize the app again.',
      'Invalid manifest | at version | ~/cdktf.out/manifest.json: "version" must be a string. Synthesize the app again.',
    ],
  ],
  [
    "an app without stacks",
    () => {
      writeFileSync(manifest(), '{"version": "0.21.0", "stacks": {}}');
    },
    [
      "The app has no stacks |  | ~/cdktf.out/manifest.json lists no stack. Create one in the app before app.synth(); a file of tenants needs a row for each of them.",
    ],
  ],
];

describe.each(cases)("%s", (_, spoil, expected) => {
  test.each(["plan", "apply --auto-approve", "destroy --auto-approve", "validate"])(
    "%s",
    async (command) => {
      spoil();
      expect(errorsOf(await workspace.run(command), workspace)).toEqual(expected);
      expect(workspace.files()).toEqual([]);
      expect(workspace.requests).toEqual([]);
    },
  );
});

test.each(["state list", "output", "show"])(
  "%s needs the stack to find its state",
  async (command) => {
    rmSync(workspace.stackFile);
    expect(errorsOf(await workspace.run(command), workspace)).toEqual([NO_STACK_FILE]);
  },
);

test("names a block of an unknown type, with a suggestion", async () => {
  writeFileSync(workspace.stackFile, '{"resources": {}}');
  expect(errorsOf(await workspace.run("plan"), workspace)).toEqual([
    'Unsupported block type | with resources | Blocks of type "resources" are not expected here. Did you mean "resource"?',
  ]);
});

describe("the app", () => {
  const app = (command: unknown) => {
    workspace.file("cdktf.json", JSON.stringify({ app: command }));
    rmSync(workspace.outDir, { recursive: true });
  };
  afterEach(() => {
    rmSync(join(workspace.directory, "cdktf.json"), { force: true });
  });

  test.each<[string, () => void, string]>([
    [
      "is not known",
      () => undefined,
      "No app to run |  | There is no cdktf.json in this folder. Set the command that runs the app with --app, or the folder of already synthesized stacks with --out-dir.",
    ],
    [
      "is not named",
      () => {
        workspace.file("cdktf.json", "{}");
      },
      'No app to run |  | cdktf.json has no "app". Set the command that runs the app with --app, or the folder of already synthesized stacks with --out-dir.',
    ],
    [
      "is named by nothing but a space",
      () => {
        app(" ");
      },
      'No app to run |  | cdktf.json has no "app". Set the command that runs the app with --app, or the folder of already synthesized stacks with --out-dir.',
    ],
    [
      "is in a file that is not JSON",
      () => {
        workspace.file("cdktf.json", "{\n  app: 5 }");
      },
      "Invalid JSON |  | ~/cdktf.json, line 2, column 3: the file is not valid JSON from here on. Correct it there.",
    ],
    [
      "is no command",
      () => {
        app(["node"]);
      },
      'Invalid cdktf.json |  | "app" must be a string. Write it as in { "app": "npx tsx main.ts" }.',
    ],
    [
      "fails",
      () => {
        app("echo no such module >&2; exit 7");
      },
      'The app failed |  | "echo no such module >&2; exit 7" ended with exit code 7. Nothing was planned or changed. Correct the app, or the command that runs it (--app, or "app" in cdktf.json). It printed: | no such module',
    ],
    [
      "is killed",
      () => {
        app("kill -9 $$");
      },
      'The app failed |  | "kill -9 $$" was ended by SIGKILL. Nothing was planned or changed. Correct the app, or the command that runs it (--app, or "app" in cdktf.json). It was killed, or ran out of memory: NODE_OPTIONS=--max-old-space-size=8192 allows 8 GB.',
    ],
    [
      "writes nothing",
      () => {
        app("true");
      },
      'The app wrote no stacks |  | "true" succeeded, but there is no manifest.json in ~/cdktf.out. An app must end with app.synth() and write to the folder in CDKTF_OUTDIR, as new App() does.',
    ],
  ])("%s", async (_, spoil, expected) => {
    spoil();
    const run = await workspace.runBare("plan");
    expect(errorsOf(run, workspace)).toEqual([expected]);
    // Without colour the first line is empty, and what the app printed comes last.
    if (expected.includes("no such module"))
      expect(run.err).toMatch(/\n\n {2}\| no such module\n$/);
    expect(existsSync(workspace.statePath)).toBe(false);
  });
});

describe("a backend that only Terraform has", () => {
  const spoil = () => {
    const required_providers = { cwp: { source: "cdktf-console/cwp" } };
    const backend = { oss: { bucket: "b" } };
    workspace.write({ ...workspace.stack(), terraform: { required_providers, backend } });
  };

  test.each(["plan", "apply --auto-approve", "destroy --auto-approve"])("%s", async (command) => {
    spoil();
    expect(errorsOf(await workspace.run(command), workspace)).toEqual([
      `Unsupported backend | with terraform, at backend.oss | The stack has the backend "oss". This executor keeps states in files, in PostgreSQL, in S3, in Google Cloud Storage, in Azure Storage and on servers with Terraform's http protocol. Use one of these, or plan, apply and edit the state with "--engine terraform". Terraform can run the stack.`,
    ]);
    expect(workspace.requests).toEqual([]);
  });

  test.each(["validate", "graph"])("is no matter for %s, which needs no state", async (command) => {
    spoil();
    expect(await workspace.run(command)).toMatchObject({ code: 0, err: "" });
  });
});
