import { Testing } from "cdktf";
import { Construct } from "constructs";
import * as exported from "../../src";
import { ConsoleProvider } from "../../src";
import { refusal, synthStack } from "./synth";

type Constructor = new (...args: readonly unknown[]) => Construct;

function isConstructClass(value: unknown): value is Constructor {
  return typeof value === "function" && value.prototype instanceof Construct;
}

const ABSTRACT = ["ConsoleResource", "ConsoleDataSource"];
const CLASSES = Object.entries(exported).flatMap(([name, value]) =>
  isConstructClass(value) && !ABSTRACT.includes(name) ? [[name, value] as const] : [],
);
const OPTIONAL = CLASSES.filter(([name]) =>
  /^(Data(?!ConsoleGet)|ConsoleProvider|ConsoleBootstrap|ContainerScan|RegistryScanRun)/.test(name),
);

const OWN_CONSOLE: readonly unknown[] = [ConsoleProvider, exported.ConsoleTenant];

const OTHERS: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["a string", "text"],
  ["a number", 5],
  ["a boolean", true],
  ["an empty list", []],
  ["a list", ["text"]],
  ["a function", () => 5],
  ["a symbol", Symbol("s")],
  ["a construct", Testing.app()],
];

function synthesize(type: Constructor, ...props: readonly unknown[]): () => unknown {
  return () =>
    synthStack((stack) => {
      if (!OWN_CONSOLE.includes(type)) new ConsoleProvider(stack, "console");
      const created = new type(stack, "p", ...props);
      for (const name of propertiesOf(type)) Reflect.get(created, name);
    });
}

function propertiesOf({ prototype }: Constructor): readonly string[] {
  return Object.getOwnPropertyNames(prototype).filter((name) => name !== "constructor");
}

describe.each(CLASSES)("%s", (name, type) => {
  test.each([[], [undefined]])("without props", (...props) => {
    const isOptional = OPTIONAL.some(([one]) => one === name);
    if (isOptional) expect(synthesize(type, ...props)).not.toThrow();
    else expect(refusal(synthesize(type, ...props))).toContain("Missing required argument. The");
  });

  test.each(OTHERS)("refuses %s for its props", (_, props) => {
    const message = refusal(synthesize(type, props));
    expect(message).toContain("[demo/p] Wrong type. The props must be an object.");
    expect(message.match(/^ *\[demo/gm)).toHaveLength(1);
  });
});

test.each([
  [{ base: 5 }, "base: Wrong type"],
  [{ base: {}, overrides: 5 }, "overrides: Wrong type"],
  [{ base: {}, overrides: [{}, "text"] }, "overrides: Wrong type"],
])("ConsoleTenant refuses %j", (props, finding) => {
  const message = refusal(synthesize(exported.ConsoleTenant as never, props));
  expect(message).toContain(`[demo/p] ${finding}`);
});
