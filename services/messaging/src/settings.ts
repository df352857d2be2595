import { settings } from '@pulso/platform/process/settings';

/** Messaging has no settings besides those of every service. */
export class MessagingSettings extends settings({}) {}
