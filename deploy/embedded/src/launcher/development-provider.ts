import { join } from 'node:path';
import type { Logger } from '@pulso/platform/logging/logger';
import type { IdentityProvider } from '../identity-provider/identity-provider.js';
import { type DataDirectory, readJson, writeWhole } from './data-directory.js';
import { lastPortOrFree } from './known-port.js';
import type { Settings } from './settings.js';

/** Who opens Pulso by one of these is on this machine, as the provider is. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether signing in with Google leads to the development provider (ACCT-30): never in production, nor beside one that is set up. */
export const hasDevelopmentProvider = (
  { isProduction, publicUrl }: Pick<Settings, 'isProduction' | 'publicUrl'>,
  { OPENID_CLIENT_ID }: NodeJS.ProcessEnv,
): boolean => !isProduction && !OPENID_CLIENT_ID && LOOPBACK.has(new URL(publicUrl).hostname);

/**
 * Starts it in this process, on the port of the last start if that is free: identity knows its people by the provider's address. `publicUrl`
 * has the port that the gateway will have.
 */
export async function startDevelopmentProvider(
  { publicUrl }: Pick<Settings, 'publicUrl'>,
  { path }: Pick<DataDirectory, 'path'>,
  logger: Logger,
): Promise<IdentityProvider> {
  const file = join(path, 'identity-provider.json');
  const port = await lastPortOrFree(readJson<{ port: number }>(file)?.port);
  const { startIdentityProvider } = await load();
  const redirectUri = `${publicUrl}/api/auth/google/callback`;
  const provider = await startIdentityProvider({ port, redirectUri, logger });
  writeWhole(file, { port });
  return provider;
}

/**
 * Loaded where it runs alone. On Node 20 oidc-provider warns that it wants a later one; what it does here is tested on 20, and the
 * warning would stand in each start of Pulso.
 */
async function load() {
  const { warn } = console;
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).includes('Unsupported runtime')) warn(...words);
  };
  try {
    return await import('../identity-provider/identity-provider.js');
  } finally {
    console.warn = warn;
  }
}
