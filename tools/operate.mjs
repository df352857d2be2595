import { buildWhenNeeded, installWhenNeeded, requireNode } from './prepare.mjs';

/** `npm run operate -- <service> <command>`: an operator's command on the data directory of `npm start`. */
requireNode();
await installWhenNeeded();
await buildWhenNeeded('start');
const { operate } = await import('../deploy/embedded/bundle/launcher/operate.js');
await operate();
