import { codeReader, gatherCode } from "./code";
import { gatherCurlConfig } from "./curl-config";
import { gatherHttpFile } from "./http-file";
import type { Language } from "./language";
import { gatherShell } from "./shell";
import { BATCH, MAKE, POSIX } from "./shell-dialect";
import { wholeFile, type Snippet } from "./snippet";
import { countBelow } from "./search";
import type { Template } from "./template";
import { Gathered } from "./use";
import { HOLE } from "./variables";
import { gatherYaml } from "./yaml";

/** A file of calls, read. */
export interface Reading {
  readonly file: string;
  readonly text: string;
  readonly gathered: Gathered;
  /** The text with blanks in place of comments, of the same length. */
  readonly code: string;
  /** From 1. */
  lineAt(offset: number): number;
}

export function readScript(file: string, content: string, language: Language): Reading {
  const text = content.replace(/^\uFEFF/, " ");
  const gathered = new Gathered();
  gather(wholeFile(text), gathered, language);
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const lineAt = (offset: number) => countBelow(starts, offset + 1);
  return { file, text, gathered, code: withoutComments(text, gathered), lineAt };
}

function gather(snippet: Snippet, gathered: Gathered, language: Language): void {
  const readCode = codeReader(gathered);
  const readConfig = (config: Snippet) => {
    gatherCurlConfig(config, gathered);
  };
  switch (language) {
    case "shell":
      gatherShell(snippet, gathered, { dialect: POSIX, readCode, readConfig });
      return;
    case "make":
      gatherShell(snippet, gathered, { dialect: MAKE, readCode });
      return;
    case "batch":
      gatherShell(snippet, gathered, { dialect: BATCH, readCode });
      return;
    case "yaml":
      gatherYaml(snippet, gathered);
      return;
    case "curl":
      gatherCurlConfig(snippet, gathered);
      return;
    case "http":
      gatherHttpFile(snippet, gathered);
      return;
    default:
      gatherCode(snippet, gathered, language);
  }
}

function withoutComments(text: string, { comments }: Gathered): string {
  const inOrder = [...comments].sort((a, b) => a.start - b.start);
  let code = "";
  for (const { start, end } of inOrder) {
    if (start < code.length) continue;
    code += text.slice(code.length, start);
    code += text.slice(start, end).replace(/[^\n]/g, " ");
  }
  return code + text.slice(code.length);
}

/** Variables that all files together give one value only. */
export function sharedVariables(readings: readonly Reading[]): ReadonlyMap<string, Template> {
  const values = new Map<string, Map<string, Template>>();
  for (const { gathered } of readings) {
    for (const { name, values: templates } of gathered.constants) {
      if (name.length < 3) continue;
      for (const template of templates) {
        const text = template.map((part) => (part.kind === "text" ? part.text : HOLE)).join("");
        if (!text.includes("/")) continue;
        const known = values.get(name) ?? new Map<string, Template>();
        values.set(name, known.set(text, template));
      }
    }
  }
  const single = [...values].flatMap(([name, texts]): [string, Template][] => {
    const [only] = texts.values();
    return texts.size === 1 && only ? [[name, only]] : [];
  });
  return new Map(single);
}
