import { endWithParent } from './end-with-parent.mjs';
import { buildWhenNeeded, installWhenNeeded, requireNode } from './prepare.mjs';

/** `npm start`: all of Pulso in one process tree, see deploy/embedded. */
requireNode();
endWithParent();
installWhenNeeded();
buildWhenNeeded();
// Enabled before the modules are loaded, so that stack traces name the .ts files.
process.setSourceMapsEnabled(true);
const { main } = await import('../deploy/embedded/dist/launcher/main.js');
await main();
