import { register } from 'node:module';

// For tests that need a separate process, see `typescript.ts`.
register('./typescript-hooks.mjs', import.meta.url);
