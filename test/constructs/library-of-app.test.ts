import type { loadFromLibrary } from "../../src/constructs/library-of-app";
import { libraryOrder, type Loaders } from "../../src/constructs/library-of-app";

const CDKTF = "/app/node_modules/cdktf/lib/index.js";
const CDKTN = "C:\\app\\node_modules\\cdktn\\lib\\index.js";
const OTHERS = ["/app/node_modules/cdktf/lib/app.js", "/app/lib/cdktn/lib/index.js"];

test.each([
  [[CDKTF], undefined, "cdktf"],
  [[CDKTN], undefined, "cdktn"],
  // A loaded library counts more than a named one.
  [[CDKTF], "cdktn", "cdktf"],
  [[CDKTN, ...OTHERS], "cdktf", "cdktn"],
  // A program that has loaded both, or none yet.
  [[CDKTN, CDKTF], "cdktf", "cdktf"],
  [[CDKTN, CDKTF], undefined, "cdktn"],
  [OTHERS, "cdktn", "cdktn"],
  [OTHERS, undefined, "cdktf"],
] as const)("after %j in a project that names %s, %s is first", (loaded, named, first) => {
  const order = libraryOrder(loaded, () => named);
  expect(order).toEqual([first, first === "cdktf" ? "cdktn" : "cdktf"]);
});

function failure(message: string): () => never {
  return () => {
    throw Object.assign(new Error(message), { code: "MODULE_NOT_FOUND" });
  };
}

/** Loads with the state of a new program. */
function load(loaders: Loaders, loaded: readonly string[] = []): unknown {
  let result: unknown;
  jest.isolateModules(() => {
    const fresh = jest.requireActual<{ loadFromLibrary: typeof loadFromLibrary }>(
      "../../src/constructs/library-of-app",
    );
    result = [fresh.loadFromLibrary(loaders, loaded), fresh.loadFromLibrary(loaders, [CDKTF])];
  });
  return result;
}

test("takes the library that is installed, for all modules", () => {
  const cdktf = failure("Cannot find module 'cdktf'\nRequire stack:\n- /app/main.js");
  const zipped = failure("cdktf-console tried to access cdktf, but it isn't provided");
  for (const missing of [cdktf, zipped, failure("Cannot find module 'cdktf/package.json'")]) {
    expect(load({ cdktf: missing, cdktn: () => "cdktn" })).toEqual(["cdktn", "cdktn"]);
  }
  expect(load({ cdktf: () => "cdktf", cdktn: () => "cdktn" }, [CDKTN])).toEqual(["cdktn", "cdktn"]);
});

test("says what to install if there is none", () => {
  const loaders = {
    cdktf: failure("Cannot find module 'cdktf'"),
    cdktn: failure("Cannot find module 'cdktn'"),
  };
  expect(() => load(loaders)).toThrow(
    /^Neither cdktf nor cdktn is installed, .* Run "npm install cdktf@\^0\.21\.0 constructs@/,
  );
});

test("reports what a library lacks instead of taking the other one", () => {
  const cdktf = failure("Cannot find module 'constructs'\nRequire stack:\n- /app/cdktf.js");
  expect(() => load({ cdktf, cdktn: () => "cdktn" })).toThrow(/'constructs'/);
});
