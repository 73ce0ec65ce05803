import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorText, fileProblem } from "../../src/provider/file-problem";

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
])("%s is told in words, without the name of the system call", async (_, call, text) => {
  const failure = await caught(call());
  expect(fileProblem(failure)?.text).toBe(text);
  expect(errorText(failure)).toBe(text);
});

test("what is not permitted may be so by the file system, as hard links are on FAT", () => {
  const failure = Object.assign(new Error("EPERM: operation not permitted, link 'a' -> 'b'"), {
    code: "EPERM",
    syscall: "link",
  });
  expect(errorText(failure)).toBe("operation not permitted");
});

test("what has no words here keeps those of the system", () => {
  const failure = Object.assign(new Error("EFBIG: file too large, write"), {
    code: "EFBIG",
    syscall: "write",
  });
  expect(fileProblem(failure)).toEqual({ code: "EFBIG", text: "EFBIG: file too large, write" });
});

test("what is no call to the file system is not one of its problems, and says its own message", () => {
  expect(fileProblem(new Error("broken"))).toBeUndefined();
  expect(errorText(new Error("broken"))).toBe("broken");
  expect(errorText("broken")).toBe("broken");
});
