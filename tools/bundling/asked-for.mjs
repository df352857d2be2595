import { isBuiltin } from 'node:module';

const ASKED = [
  /^(?:import|export)\b(?:[^'"\n]* from )? ?"([^"]+)";?$/gm,
  /\bimport\("([^"]+)"\)/g,
  /\b__require\("([^"]+)"\)/g,
  /\bcreateRequire(?:\$\d+)?\(import\.meta\.url\)(?:\.resolve)?\("([^"]+)"\)/g,
];

/**
 * What a bundled script imports or requires, wherever it does, but for Node's own modules: `files` of its bundle, relative to it, and the
 * names of `packages`.
 *
 * @param {string} code
 * @returns {{ files: string[], packages: string[] }}
 */
export function askedFor(code) {
  const asked = ASKED.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name]) => name));
  const packages = asked.filter((name) => !name.startsWith('.') && !isBuiltin(name));
  return {
    files: asked.filter((name) => name.startsWith('.')),
    packages: packages.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)[0]),
  };
}
