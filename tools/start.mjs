import { endWithParent } from './end-with-parent.mjs';
import { buildWhenNeeded, installWhenNeeded, requireNode } from './prepare.mjs';

/** `npm start`: all of Pulso in one process tree, see deploy/embedded. */
requireNode();
endWithParent();
await installWhenNeeded();
await buildWhenNeeded('start');
// Without source maps, which would take some 17 MB: `npm run dev` has them.
const { main } = await import('../deploy/embedded/bundle/launcher/main.js');
await main();
