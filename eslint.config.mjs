import js from "@eslint/js";
import tseslint from "typescript-eslint";

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
