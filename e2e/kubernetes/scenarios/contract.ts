import { join } from 'node:path';
import { gatewayUrl } from '../gateway-url.js';
import { INBOX_PORT } from '../pods.js';
import { CommandFailed, runCommand } from '../run-command.js';
import type { Scenario } from '../scenario.js';

const JEST = 'node_modules/jest/bin/jest.js';
const LIMIT_MS = 900_000;

/** The API journeys, which sign up users with names of their own: on a Pulso where they have run before, the names are taken. */
export const contract: Scenario = {
  name: 'contract',
  shows: 'the API journeys pass, with push, uploads and e-mail',
  async run(cluster) {
    const url = await gatewayUrl(cluster);
    const inbox = await cluster.forward('mail', INBOX_PORT);
    const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
    try {
      const { stderr } = await runCommand(
        process.execPath,
        [...flags, join(cluster.root, JEST), '--runInBand', 'api/journeys'],
        {
          cwd: join(cluster.root, 'e2e'),
          limit: LIMIT_MS,
          signal: cluster.signal,
          env: {
            PULSO_TEST_PROFILE: 'kubernetes',
            PULSO_TEST_KUBERNETES: cluster.context,
            PULSO_TEST_URL: url,
            PULSO_TEST_INBOX_URL: inbox.url,
          },
        },
      );
      const [, tests, seconds] = /^Tests:\s+(.*)$[^]*^Time:\s+([\d.]+)/m.exec(stderr) ?? [];
      if (!tests || !seconds) throw new Error(`Jest has not said what it ran: ${stderr.slice(-500)}`);
      return { gateway: url, 'tests of the journeys': tests, seconds: Number(seconds) };
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      const failed = error.ended.stderr.split('\n').filter((line) => line.trim().startsWith('●'));
      throw new Error(`${[...new Set(failed)].join('\n')}\n${error.ended.stderr.slice(-3_000)}`, {
        cause: error,
      });
    } finally {
      await inbox.close();
    }
  },
};
