// What the settings load when an archive is chosen.
export { ImportRun } from './import-run.js';
export { openArchive } from './read-archive.js';
