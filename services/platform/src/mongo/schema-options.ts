/** For every schema: documents use our own `version` instead of mongoose's, and undeclared fields throw. */
export const SCHEMA_OPTIONS = { versionKey: false, strict: 'throw', strictQuery: 'throw' } as const;
