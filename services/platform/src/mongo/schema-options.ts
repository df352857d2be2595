/** For every schema of ours: the version that counts is our own, and a field nobody declared is a mistake. */
export const SCHEMA_OPTIONS = { versionKey: false, strict: 'throw', strictQuery: 'throw' } as const;
