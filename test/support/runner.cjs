/**
 * Runs suites as jest does, with the code of modules that earlier suites of the process have loaded:
 * each suite loads up to a thousand, and compiling them takes a third of the time of a small one.
 */
const vm = require("node:vm");

const { compileFunction } = vm;

/** Modules by their files. Those of one suite only never have a code. */
const modules = new Map();

vm.compileFunction = (source, parameters, options) => {
  const module = modules.get(options?.filename);
  if (module?.source !== source) {
    modules.set(options?.filename, { source });
    return compileFunction(source, parameters, options);
  }
  if (module.code) {
    return compileFunction(source, parameters, { ...options, cachedData: module.code });
  }
  const compiled = compileFunction(source, parameters, { ...options, produceCachedData: true });
  module.code = compiled.cachedData;
  return compiled;
};

module.exports = require("jest-circus/runner");
