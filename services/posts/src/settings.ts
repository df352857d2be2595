import { settings } from '@pulso/platform/config/settings';

/** Posts has no settings besides those of every service. */
export class PostsSettings extends settings({}) {}
