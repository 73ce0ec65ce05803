import js from "@eslint/js";
import tseslint from "typescript-eslint";
import { oneWorld } from "./scripts/lint/one-world.mjs";
import { ownMembers } from "./scripts/lint/own-members.mjs";
import { printedText } from "./scripts/lint/printed-text.mjs";

/** Functions of node:fs that read any file to its end, or may never return, as where a FIFO is opened. */
const UNBOUNDED = [
  ..."readFile readFileSync createReadStream ReadStream read readSync readv readvSync".split(" "),
  ..."writeFile appendFile appendFileSync createWriteStream WriteStream open openSync".split(" "),
  ..."mkdir mkdirSync promises default".split(" "),
];

/** The rules of this project. */
const local = {
  rules: { "one-world": oneWorld, "own-members": ownMembers, "printed-text": printedText },
};

/** The rooms that run inside of a simulation. */
const SIMULATED =
  "{api,automation,backends,core,fleet,formats,language,protection,provider,review,runtime,simulator}";

/** What stays outside of simulations: other programs, TLS, and connections of Node. */
const UNSIMULATED = [
  "src/core/io/{compiled-code,files,program,read-stream,start-flags,world}.ts",
  "src/backends/http-request.ts",
  "src/runtime/provisioners/run-command.ts",
  "src/simulator/{certificates,server,simulator}.ts",
];

/** The package contains what the bundler follows. */
const UNBUNDLED =
  "The package does not contain what this loads. Import a module by its name; the build makes it lazy.";
const UNBUNDLED_IMPORT = {
  selector: "ImportExpression[source.type!='Literal']",
  message: UNBUNDLED,
};

/** Rooms attach values by the keys of core/notes.ts. */
const DECLARED_MODULE = {
  selector: "TSModuleDeclaration[id.type='Literal']",
  message: "A type has the members that its file shows. Attach a value by a key of core/notes.ts.",
};

export default tseslint.config(
  // Templates have a tsconfig.json of their own, whose types are those of an installed package.
  {
    ignores: ["dist/", "node_modules/", "coverage/", "templates/", "**/cdktf.out/", "**/*.cjs"],
  },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // `{ [key: string]: Value }` is the only way to write a recursive type alias.
      "@typescript-eslint/consistent-indexed-object-style": "off",
      // Overflows the stack on recursive types that hold a class, as `Evaluated` is (8.73).
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      "no-console": "error",
    },
  },
  {
    files: ["src/**/*.{ts,tsx}"],
    rules: { "max-lines": ["error", { max: 320, skipBlankLines: true, skipComments: true }] },
  },
  {
    // compiled-code.ts starts the programs: the files that it loads are those of the build.
    files: ["src/**/*.{ts,tsx}"],
    ignores: ["src/core/io/compiled-code.ts"],
    rules: {
      // Not of the same name as the rule below, which would replace it.
      "@typescript-eslint/no-restricted-imports": [
        "error",
        { paths: [{ name: "node:module", importNames: ["createRequire"], message: UNBUNDLED }] },
      ],
      "no-restricted-syntax": ["error", UNBUNDLED_IMPORT, DECLARED_MODULE],
    },
  },
  // Names from outside meet no member that every object has.
  {
    files: ["src/**/*.{ts,tsx}"],
    ignores: ["src/core/member-of.ts"],
    plugins: { local },
    rules: { "local/own-members": "error" },
  },
  // Text from outside is printed escaped.
  {
    files: ["src/**/*.{ts,tsx}"],
    ignores: ["src/core/printed.ts"],
    plugins: { local },
    rules: { "local/printed-text": "error" },
  },
  // A run takes time, randomness and files from where a simulation can hand them in.
  {
    files: [`src/${SIMULATED}/**/*.{ts,tsx}`, "src/cli/rollout/**"],
    ignores: UNSIMULATED,
    plugins: { local },
    rules: { "local/one-world": "error" },
  },
  // Files, pipes and programs are read within bounds, in one place.
  {
    files: ["src/**/*.{ts,tsx}"],
    ignores: ["src/core/io/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          paths: [
            ...["node:fs", "node:fs/promises"].map((name) => ({
              name,
              importNames: UNBOUNDED,
              message:
                "src/core/io/ reads files within bounds, opens files to write, and makes folders.",
            })),
            ...["node:child_process", "node:readline", "node:readline/promises"].map((name) => ({
              name,
              message: "src/core/io/ runs programs and reads standard input.",
            })),
            { name: "node:stream/consumers", message: "src/core/io/ reads streams." },
          ],
          patterns: [
            {
              regex: "^(fs|fs/promises|child_process|readline|readline/promises)$",
              message: "Use the name with node:.",
            },
          ],
        },
      ],
      "no-restricted-properties": [
        "error",
        { object: "process", property: "stdin", message: "src/core/io/ reads standard input." },
      ],
      "no-restricted-syntax": [
        "error",
        UNBUNDLED_IMPORT,
        DECLARED_MODULE,
        {
          selector:
            "CallExpression > MemberExpression[property.name=/^(readFile|readFileSync|readLines|createReadStream|readableWebStream)$/]",
          message: "src/core/io/ reads files within bounds.",
        },
      ],
    },
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "max-lines": ["error", { max: 520, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ["bench/**/*.ts", "examples/**/*.ts", "scripts/**/*.ts"],
    rules: { "no-console": "off" },
  },
  {
    files: ["**/*.mjs"],
    languageOptions: { globals: { process: "readonly", console: "readonly" } },
  },
);
