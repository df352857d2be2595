import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { transformFile } from '@swc/core';

/**
 * Compiles single files as the `build` scripts do (`swc <source> -d dist`), into the same `dist`.
 *
 * @param {string} configFile path of swc.build.json
 */
export function createCompiler(configFile) {
  /** The error of each file, by its path, until it compiles or is deleted. @type {Map<string, string>} */
  const errors = new Map();
  return {
    errors,
    /**
     * Updates the output of one source file, also when the file was deleted.
     *
     * @param {string} file absolute
     * @param {{ source: string, dist: string }} folders absolute; `file` is in `source`
     * @returns {Promise<boolean>} whether the output changed
     */
    async update(file, { source, dist }) {
      const output = join(dist, relative(source, file)).replace(/\.tsx?$/, '.js');
      const map = `${output}.map`;
      errors.delete(file);
      if (!existsSync(file)) {
        const existed = existsSync(output);
        await Promise.all([output, map].map((path) => rm(path, { force: true })));
        return existed;
      }
      let compiled;
      try {
        const sourceFileName = relative(dirname(output), file);
        compiled = await transformFile(file, { configFile, swcrc: false, sourceFileName });
      } catch (error) {
        // The rest is swc's own stack.
        errors.set(file, error.message.split('\nCaused by:')[0].trimEnd());
        return false;
      }
      const code = `${compiled.code}\n//# sourceMappingURL=${basename(map)}`;
      const before = await readFile(output, 'utf8').catch(() => undefined);
      await mkdir(dirname(output), { recursive: true });
      // The map is written first, and also when only lines have moved: positions in stack traces depend on it.
      await writeFile(map, compiled.map);
      if (code === before) return false;
      await writeFile(output, code);
      return true;
    },
  };
}
