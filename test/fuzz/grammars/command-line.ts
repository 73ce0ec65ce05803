import type { Mutations } from "../mutations";
import { name } from "./json";

/* Patterns by glob(7) and the manual of the shell, and addresses by Terraform's documentation. */

const CHARACTERS = ["a", "prod", "-", "😀", "ﬀ", "é", "\u{10ffff}", "\ud800", ".", "/", " ", "0"];

export function pattern(m: Mutations): string {
  return Array.from({ length: 1 + m.below(6) }, () => piece(m)).join("");
}

function piece(m: Mutations): string {
  const one = () => m.pick(CHARACTERS);
  switch (m.below(8)) {
    case 0:
      return m.pick(["*", "**", "?", "*?*", "*".repeat(60)]);
    case 1:
      return `[${m.pick(["", "!", "^"])}${one()}-${one()}${m.pick(["]", ""])}`;
    case 2:
      return `[${m.pick(["", "]", "!]", "\\"])}${one()}${one()}]`;
    case 3:
      return `[[:${m.pick(["alpha", "digit", "x"])}:]]`;
    case 4:
      return `{${one()},${one()}${m.pick(["}", ""])}`;
    case 5:
      return m.pick(["\\", "\\*", "!", "#", "+(a)", "@(a|b)", "(", "|", "$", "^"]);
    default:
      return one();
  }
}

const TYPES = ["null_resource", "cwp_license", "data.null_data_source", "module.m", "x"];

export function address(m: Mutations): string {
  const key = m.pick([
    "",
    "",
    "[0]",
    '["a"]',
    '["a\\"b"]',
    "[-1]",
    "[",
    '["',
    "[99999999999]",
    "[*]",
  ]);
  return `${m.pick(TYPES)}${m.pick([".", "..", "", "."])}${name(m)}${key}`;
}
