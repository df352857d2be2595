import { z } from 'zod';
import { loadConfig } from '../process/load-config.js';
import { type SettingsClass, settingsFrom } from '../process/settings.js';

/** What a service needs besides its database and topics, such as a bucket; `migrate` makes it. */
export interface Preparation {
  /** The schema of each of its settings, by the setting's name. */
  shape: z.ZodRawShape;
  /** Reads its own settings alone, which throws ConfigError, and returns what makes it and resolves to lines to print. */
  read(env: NodeJS.ProcessEnv): () => Promise<readonly string[]>;
}

/** `make` is safe to repeat, and rejects with StartError. */
export function preparation<S extends object>(
  Settings: SettingsClass<S>,
  make: (settings: S) => Promise<readonly string[]>,
): Preparation {
  return {
    shape: Settings.shape,
    read(env) {
      const own = settingsFrom(Settings, loadConfig(z.object(Settings.shape), env)) as S;
      return () => make(own);
    },
  };
}
