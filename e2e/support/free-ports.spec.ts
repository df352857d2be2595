import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../tools/free-ports.mjs';

/** Two draws of so many have some ports in common, unless these are kept apart. */
const MANY = 500;

it('no port is given twice in a run, although nothing listens on it yet', async () => {
  const before = process.env.PULSO_RUN_FOLDER;
  const folder = mkdtempSync(join(tmpdir(), 'pulso-ports-'));
  process.env.PULSO_RUN_FOLDER = folder;
  try {
    const ports = [...(await freePorts(MANY)), ...(await freePorts(MANY))];
    expect(new Set(ports).size).toBe(2 * MANY);
  } finally {
    if (before === undefined) delete process.env.PULSO_RUN_FOLDER;
    else process.env.PULSO_RUN_FOLDER = before;
    rmSync(folder, { recursive: true, force: true });
  }
});
