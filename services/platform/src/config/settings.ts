import { z } from 'zod';

/** A class whose instance holds a service's own settings, validated; it is their token for injection, too. */
export interface SettingsClass<T extends object = object> {
  new (): T;
  /** zod's schema of each setting, by the name of its environment variable. */
  readonly shape: z.ZodRawShape;
}

/**
 * The base of a settings class: `class PostsSettings extends settings({ FEED_PAGE: z.coerce.number() }) {}`. Its
 * properties are the settings, read from the environment at start.
 */
export function settings<S extends z.ZodRawShape>(shape: S): SettingsClass<z.output<z.ZodObject<S>>> {
  abstract class Settings {
    static readonly shape = shape;
  }
  return Settings as unknown as SettingsClass<z.output<z.ZodObject<S>>>;
}
