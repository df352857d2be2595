import { register } from 'node:module';

// `node --conditions=source --import <this file> <file>.ts`: for tests that need a separate process to kill.
register('./typescript-hooks.mjs', import.meta.url);
