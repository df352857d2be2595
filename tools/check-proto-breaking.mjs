import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fail, root, run } from './prepare.mjs';

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
const commit = (name) => git('rev-parse', '--verify', '--quiet', `${name}^{commit}`).stdout.trim();

/**
 * Checks with `buf breaking` that no contract breaks an older client: against `origin/main` where this checkout is ahead of it or changed, otherwise
 * against the previous commit. An archive of the sources has no history to compare with.
 */
export function checkProtoBreaking() {
  const head = commit('HEAD');
  if (!head) {
    console.log('\n— Breaking changes of contracts: no Git history, not checked');
    return;
  }
  const main = commit('origin/main');
  const dirty = git('status', '--porcelain', '--', 'proto').stdout !== '';
  const base = main && main !== head ? main : dirty ? head : commit('HEAD~1');
  if (!base || git('cat-file', '-e', `${base}:proto/buf.yaml`).status !== 0) return;
  const gitDirectory = git('rev-parse', '--absolute-git-dir').stdout.trim();
  if (!gitDirectory) fail('git does not say where its directory is.');
  run(
    'Breaking changes of contracts',
    join(root, 'node_modules/.bin/buf'),
    ['breaking', '--against', `${gitDirectory}#subdir=proto,ref=${base}`],
    {
      cwd: join(root, 'proto'),
    },
  );
}
