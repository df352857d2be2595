import { StartError } from './start-error.js';

const NO_ADDRESS = /EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN|EINVAL/;

/**
 * Runs `listen`, which uses the ports and the addresses of these settings. If one of them is not available, throws a
 * StartError that names the setting.
 */
export async function listenOrExplain<T>(
  ports: Readonly<Record<string, number>>,
  listen: () => Promise<T>,
  hosts: Readonly<Record<string, string>> = {},
): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const [setting, host] = Object.entries(hosts).find(([, name]) => text.includes(name)) ?? [];
    if (setting !== undefined && NO_ADDRESS.test(text))
      throw new StartError(`${setting}: ${host} is not an address of this machine.`, { cause: error });
    throw portError(ports, text, error);
  }
}

function portError(ports: Readonly<Record<string, number>>, text: string, error: unknown): unknown {
  const taken = text.includes('EADDRINUSE');
  if (!taken && !text.includes('EACCES')) return error;
  const [setting, port] =
    Object.entries(ports).find(([, number]) => new RegExp(`:${number}\\b`).test(text)) ??
    Object.entries(ports)[0]!;
  const reason = taken ? 'is taken by another program' : 'may not be listened on by this user';
  return new StartError(`${setting}: ${port} ${reason}.`, { cause: error });
}
