import { endWithParent } from './end-with-parent.mjs';
import { buildWhenNeeded, installWhenNeeded, requireNode } from './prepare.mjs';

/** `npm start`: all of Pulso in one process tree, see deploy/embedded. */
requireNode();
endWithParent();
installWhenNeeded();
buildWhenNeeded();
// Before the modules are loaded: stack traces then name the .ts files.
process.setSourceMapsEnabled(true);
const { main } = await import('../deploy/embedded/dist/launcher/main.js');
await main();
