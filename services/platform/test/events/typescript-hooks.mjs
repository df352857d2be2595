import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const { $schema, ...swc } = JSON.parse(
  readFileSync(new URL('../../../../swc.build.json', import.meta.url), 'utf8'),
);

/** Node's module hooks: load the `.ts` file in place of a missing `.js` file, compiled like in the build. */
export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !/^\..*\.js$/.test(specifier)) throw error;
    return next(specifier.replace(/\.js$/, '.ts'), context);
  }
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), { ...swc, swcrc: false, filename });
  return { format: 'module', source: code, shortCircuit: true };
}
