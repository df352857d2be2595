import { cursorSecrets, privateKeys } from '@pulso/platform/process/json-settings';
import { settings } from '@pulso/platform/process/settings';
import { objectsShape, requireOneStore } from './object/object-settings.js';

/** Media's own settings; the keys are the environment's names. */
export class MediaSettings extends settings({
  /** Ed25519 private JWKs as a JSON list: the first signs tickets, all verify (MEDIA-17). */
  MEDIA_TICKET_KEYS: privateKeys,
  /** JSON list of `{ kid, secret }` that sign the addresses of files; posts has the same (MEDIA-19). */
  MEDIA_URL_SECRETS: cursorSecrets,
  ...objectsShape,
}) {
  static override check(values: Readonly<Record<string, unknown>>): void {
    requireOneStore(values);
  }
}
