import { buildWhenNeeded, installWhenNeeded, requireNode } from './prepare.mjs';

/** `npm run operate -- <service> <command>`: an operator's command on the data directory of `npm start`. */
requireNode();
await installWhenNeeded();
await buildWhenNeeded();
const { operate } = await import('../deploy/embedded/dist/launcher/operate.js');
await operate();
