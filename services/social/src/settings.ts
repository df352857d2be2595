import { settings } from '@pulso/platform/process/settings';

/** Social has no settings besides those of every service. */
export class SocialSettings extends settings({}) {}
