import { StartError } from './start-error.js';

/**
 * Runs what listens on the ports of these settings. A port that cannot be had is told by the setting that asks for it.
 */
export async function takingPorts<T>(
  ports: Readonly<Record<string, number>>,
  listen: () => Promise<T>,
): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    // gRPC wraps what the system said into a message of its own, without a code.
    const text = error instanceof Error ? error.message : String(error);
    const taken = text.includes('EADDRINUSE');
    if (!taken && !text.includes('EACCES')) throw error;
    const [setting, port] =
      Object.entries(ports).find(([, number]) => new RegExp(`:${number}\\b`).test(text)) ??
      Object.entries(ports)[0]!;
    const reason = taken ? 'is taken by another program' : 'may not be listened on by this user';
    throw new StartError(`${setting}: ${port} ${reason}.`, { cause: error });
  }
}
