import { cursorSecrets, publicKeys } from '@pulso/platform/process/json-settings';
import { settings } from '@pulso/platform/process/settings';

/** Posts' own settings; the keys are the environment's names. */
export class PostsSettings extends settings({
  /** Ed25519 public JWKs as a JSON list: media signs its tickets with one of them (MEDIA-17). */
  MEDIA_TICKET_JWKS: publicKeys,
  /** Shared with media: the first signs the addresses of images (MEDIA-19). */
  MEDIA_URL_SECRETS: cursorSecrets,
}) {}
