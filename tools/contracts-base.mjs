import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root } from './prepare.mjs';

const FILE = 'proto/contracts-base';

export const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });

/**
 * The commit whose contracts clients rely on, by its full id: `proto/contracts-base` names it, so that every clone compares
 * with the same one. Contracts of later commits may still change. It is moved forward on purpose, in a commit of its own.
 * Ends the program when the commit cannot be read.
 */
export function contractsBase() {
  const base = readFileSync(join(root, FILE), 'utf8').trim();
  if (!/^[0-9a-f]{40}$/.test(base))
    fail(`${FILE}: must be the full id of a commit, and is "${base.slice(0, 60)}".`);
  const { status } = git('cat-file', '-e', `${base}^{commit}`);
  if (status !== 0)
    fail(
      `${FILE} names commit ${base}, which this checkout does not have. In a shallow clone: git fetch --unshallow. ` +
        'An archive of the sources has no history: clone the repository.',
    );
  return base;
}
