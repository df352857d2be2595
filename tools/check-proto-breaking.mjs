import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fail, root, run } from './prepare.mjs';

export const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
const commit = (name) => git('rev-parse', '--verify', '--quiet', `${name}^{commit}`).stdout.trim();

/**
 * The commit that `path` is compared with: `origin/main` when this checkout is ahead of it or has changes, otherwise
 * the previous commit. Undefined without history (an archive of the sources), and when that commit does not have
 * `path`.
 */
export function baseOf(path) {
  const head = commit('HEAD');
  if (!head) return undefined;
  const main = commit('origin/main');
  const dirty = git('status', '--porcelain', '--', path).stdout !== '';
  const base = main && main !== head ? main : dirty ? head : commit('HEAD~1');
  return base && git('cat-file', '-e', `${base}:${path}`).status === 0 ? base : undefined;
}

/** Checks that the contracts have no breaking change. */
export function checkProtoBreaking() {
  const base = baseOf('proto');
  if (!base) {
    console.log('\n— Breaking changes of contracts: not checked, because there is no commit to compare with');
    return;
  }
  const gitDirectory = git('rev-parse', '--absolute-git-dir').stdout.trim();
  if (!gitDirectory) fail('git does not report its directory.');
  run(
    'Breaking changes of contracts',
    join(root, 'node_modules/.bin/buf'),
    ['breaking', '--against', `${gitDirectory}#subdir=proto,ref=${base}`],
    {
      cwd: join(root, 'proto'),
    },
  );
}
