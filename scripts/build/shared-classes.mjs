/**
 * Finds classes that two bundles contain, one of which loads the other, and that `instanceof`
 * compares: an instance of the one is none of the other, unless the class is `acrossBundles`.
 */
import { readFileSync } from "node:fs";
import { posix } from "node:path";

/**
 * @param outputs those of all bundles, as esbuild lists them
 * @returns a line for each class
 */
export function sharedClasses(outputs, read = (path) => readFileSync(path, "utf8")) {
  const texts = new Map();
  const textOf = (path) => {
    if (!texts.has(path)) texts.set(path, read(path));
    return texts.get(path);
  };
  const found = Object.keys(outputs).flatMap((bundle) => {
    const sources = sourcesOf(outputs[bundle]);
    return [...loadedBy(outputs, bundle)].flatMap((loaded) => {
      const others = sourcesOf(outputs[loaded]);
      const compared = new Set([...sources, ...others].flatMap((path) => comparedIn(textOf(path))));
      return sources
        .filter((path) => others.includes(path))
        .flatMap((path) => unmarkedIn(textOf(path)))
        .filter((name) => compared.has(name))
        .map((name) => `${name} is in ${bundle} and in ${loaded}`);
    });
  });
  return [...new Set(found)].sort();
}

/** The files of the project that a bundle contains code of. */
function sourcesOf({ inputs }) {
  return Object.keys(inputs).filter(
    (path) => path.startsWith("src/") && inputs[path].bytesInOutput > 0,
  );
}

/** The bundles that a bundle loads, and those that these load. */
function loadedBy(outputs, bundle, found = new Set()) {
  for (const { path } of outputs[bundle].imports) {
    const file = posix.join(posix.dirname(bundle), path).replace(/(\.js)?$/, ".js");
    if (!path.startsWith(".") || !(file in outputs) || found.has(file)) continue;
    found.add(file);
    loadedBy(outputs, file, found);
  }
  return found;
}

function comparedIn(text) {
  return [...text.matchAll(/\binstanceof (\w+)/g)].map(([, name]) => name);
}

function unmarkedIn(text) {
  return [...text.matchAll(/\bclass (\w+)/g)]
    .map(([, name]) => name)
    .filter((name) => !text.includes(`acrossBundles(this, "${name}")`));
}
