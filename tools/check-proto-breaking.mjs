import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contractsBase, git } from './contracts-base.mjs';
import { fail, root } from './prepare.mjs';

// `node tools/check-proto-breaking.mjs`: fails when the contracts break those that clients rely on (`contractsBase`).
const base = contractsBase();
const folder = mkdtempSync(join(tmpdir(), 'pulso-contracts-'));
let status;
try {
  // The files, and not the repository: buf cannot read that of a linked worktree.
  const archive = join(folder, 'proto.tar');
  const { status: written, stderr } = git('archive', '--format=tar', `--output=${archive}`, `${base}:proto`);
  if (written !== 0) fail(`the contracts of ${base} cannot be read: ${stderr.trim()}`);
  ({ status } = spawnSync(join(root, 'node_modules/.bin/buf'), ['breaking', '--against', archive], {
    cwd: join(root, 'proto'),
    stdio: 'inherit',
  }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status ?? 1);
