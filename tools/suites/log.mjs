import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../prepare.mjs';

/** The file that takes the output of what `name` names, without that of an earlier run. */
export function newLog(name) {
  const log = join(root, '.logs', `${name.replaceAll(/\W+/g, '-')}.log`);
  rmSync(log, { force: true });
  return log;
}
