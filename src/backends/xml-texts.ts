/** Returns the texts of all elements of this name in an XML document. */
export function xmlTexts(body: Buffer, element: string): readonly string[] {
  const found = body.toString("utf8").matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, "g"));
  return [...found].map(([, text = ""]) => text.replaceAll(ENTITY, character));
}

const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,6})|#x([\da-fA-F]{1,5}));/g;
const NAMED = new Map(Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }));

function character(entity: string, name?: string, decimal?: string, hex?: string): string {
  if (name !== undefined) return NAMED.get(name) ?? entity;
  const code = decimal === undefined ? parseInt(hex ?? "", 16) : Number(decimal);
  return code > 0x10ffff ? entity : String.fromCodePoint(code);
}
