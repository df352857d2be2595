import { buildWhenNeeded, installWhenNeeded, requireNode } from './prepare.mjs';

requireNode();
installWhenNeeded();
buildWhenNeeded();
const { main } = await import('../deploy/embedded/dist/launcher/main.js');
await main();
