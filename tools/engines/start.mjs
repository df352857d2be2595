import { ENGINES } from './index.mjs';
import { startNativeEngines } from './native.mjs';

/**
 * `node tools/engines/start.mjs`: starts all engines, prints their addresses as the settings the processes read, and
 * runs until Ctrl-C.
 */
const starting = startNativeEngines();
const end = () => {
  process.off('SIGINT', end).off('SIGTERM', end);
  void starting.then((engines) => engines.stop());
};
process.on('SIGINT', end).on('SIGTERM', end);
const addresses = await starting;
for (const { setting, address } of ENGINES) console.log(`${setting}=${addresses[address]}`);
