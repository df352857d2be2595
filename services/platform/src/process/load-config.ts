import type { z } from 'zod';

/** Settings are missing or malformed; the message names every such setting and never prints a value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads typed and validated settings from the raw environment. `schema` is a zod object whose keys are the variables'
 * names; empty strings count as unset. Throws ConfigError.
 */
export function loadConfig<S extends z.ZodType>(schema: S, env: NodeJS.ProcessEnv): z.output<S> {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => {
    const name = path.join('.') || 'settings';
    const missing = path.length === 1 && !Object.hasOwn(given, name);
    return `${name}: ${missing ? 'is not set' : message}`;
  });
  throw new ConfigError(`Wrong settings. ${problems.join('; ')}`);
}
