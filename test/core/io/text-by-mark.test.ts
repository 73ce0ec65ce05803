import { textByMark } from "../../../src/core/io/read-file";

const TEXT = '{"name": "prod-é"}\n';

test.each([
  ["UTF-8", Buffer.from(TEXT)],
  ["UTF-8 with a mark of the byte order", Buffer.from(`\uFEFF${TEXT}`)],
  ["UTF-16 in little endian", Buffer.from(`\uFEFF${TEXT}`, "utf16le")],
  ["UTF-16 in big endian", Buffer.from(`\uFEFF${TEXT}`, "utf16le").swap16()],
])("reads text in %s", (_, bytes) => {
  expect(textByMark(bytes)).toBe(TEXT);
});

test("reads text that is cut within a character", () => {
  expect(textByMark(Buffer.from([0xfe, 0xff, 0x00, 0x61, 0x00]))).toBe("a");
  expect(textByMark(Buffer.from([]))).toBe("");
});
