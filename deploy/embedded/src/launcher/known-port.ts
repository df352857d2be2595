import { freePort } from '../free-port.js';
import type { Settings } from './settings.js';

/**
 * The settings with the port that the gateway will have, where it may choose one and what stands beside it `asks` for it: the
 * simulator of Stripe sends events there, and the development provider leads back there.
 */
export async function withKnownPort(settings: Settings, asks: boolean): Promise<Settings> {
  if (!asks || settings.port !== 0) return settings;
  const port = await freePort();
  return { ...settings, port, publicUrl: settings.publicUrl.replace(/:0$/, `:${port}`) };
}

/** The port of the last start where nothing listens there, else any free one. */
export async function lastPortOrFree(last: number | undefined): Promise<number> {
  if (last === undefined) return freePort();
  return freePort(last).catch(() => freePort());
}
