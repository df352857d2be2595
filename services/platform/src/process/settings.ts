import { z } from 'zod';

/** A class whose instance holds a service's own validated settings; the class is also their injection token. */
export interface SettingsClass<T extends object = object> {
  new (): T;
  /** The zod schema of each setting, by the name of its environment variable. */
  readonly shape: z.ZodRawShape;
  /** Judges settings that depend on each other. Throws ConfigError, which names them. */
  check?(values: Readonly<Record<string, unknown>>): void;
}

/**
 * The base of a settings class: `class PostsSettings extends settings({ FEED_PAGE: z.coerce.number() }) {}`. The
 * properties of an instance are the settings, read from the environment at start.
 */
export function settings<S extends z.ZodRawShape>(shape: S): SettingsClass<z.output<z.ZodObject<S>>> {
  abstract class Settings {
    static readonly shape = shape;
  }
  return Settings as unknown as SettingsClass<z.output<z.ZodObject<S>>>;
}

/** An instance of a settings class with the values that were read. Throws ConfigError. */
export function settingsFrom(Settings: SettingsClass, values: Readonly<Record<string, unknown>>): object {
  Settings.check?.(values);
  const names = Object.keys(Settings.shape);
  return Object.assign(new Settings(), Object.fromEntries(names.map((name) => [name, values[name]])));
}
