import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorText, fileProblem } from "../../../src/core/io/file-problem";

const caught = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (failure: unknown) => failure,
  );

test.each([
  ["a file that is missing", () => readFile("/no/such"), "no such file or directory"],
  ["a folder that is missing", () => writeFile("/no/such", ""), "no such file or directory"],
  ["a folder for a file", () => readFile(tmpdir()), "is a directory"],
  [
    "a file for a folder",
    () => readFile(join(__filename, "x")),
    "a part of the path is not a directory",
  ],
])("describes %s without the name of the system call", async (_, call, text) => {
  const failure = await caught(call());
  expect(fileProblem(failure)?.text).toBe(text);
  expect(errorText(failure)).toBe(text);
});

test("describes an operation that the file system does not permit", () => {
  const failure = Object.assign(new Error("EPERM: operation not permitted, link 'a' -> 'b'"), {
    code: "EPERM",
    syscall: "link",
  });
  expect(errorText(failure)).toBe("operation not permitted");
});

test("keeps the message of the system for other codes", () => {
  const failure = Object.assign(new Error("EFBIG: file too large, write"), {
    code: "EFBIG",
    syscall: "write",
  });
  expect(fileProblem(failure)).toEqual({ code: "EFBIG", text: "EFBIG: file too large, write" });
});

test("keeps the message of other errors", () => {
  expect(fileProblem(new Error("broken"))).toBeUndefined();
  expect(errorText(new Error("broken"))).toBe("broken");
  expect(errorText("broken")).toBe("broken");
});
