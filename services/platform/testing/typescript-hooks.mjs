import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const root = new URL('../../../', import.meta.url).href;
const { $schema, ...swc } = JSON.parse(readFileSync(new URL('swc.build.json', root), 'utf8'));

/** The helpers of tests, which are never built. */
const HELPERS = '@pulso/platform/testing/';
/** A package's source below the root. */
const SOURCE = /^([\w-]+(?:\/[\w-]+)?)\/src\/(.+)\.ts$/;

/**
 * Node's module hooks: load the `.ts` file in place of a missing `.js` file, compiled like in the build. Without the condition
 * `source` a package's own sources are taken from its `dist`, as other packages take them: each module is there once.
 */
export async function resolve(specifier, context, next) {
  const conditions = specifier.startsWith(HELPERS) ? [...context.conditions, 'source'] : context.conditions;
  try {
    return await next(specifier, { ...context, conditions });
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !/^\..*\.js$/.test(specifier)) throw error;
    const found = await next(specifier.replace(/\.js$/, '.ts'), context);
    return conditions.includes('source') ? found : { ...found, url: builtOf(found.url) };
  }
}

/** The file of `dist` that a package's source is built to; any other file stays what it is. */
function builtOf(url) {
  const source = url.startsWith(root) && SOURCE.exec(url.slice(root.length));
  return source ? `${root}${source[1]}/dist/${source[2]}.js` : url;
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), { ...swc, swcrc: false, filename });
  return { format: 'module', source: code, shortCircuit: true };
}
