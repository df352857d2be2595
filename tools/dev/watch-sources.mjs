import { sep } from 'node:path';
import { watch } from 'chokidar';

/** An editor may write a file in several steps, and Git may write many files. */
const SETTLE_MS = 30;

/**
 * Watches the files in `folders` and reports changes in batches, one batch at a time. Resolves, once changes are
 * detected, to a function that stops the watching.
 *
 * @param {string[]} folders absolute
 * @param {(files: string[]) => Promise<void>} onChange gets absolute paths of changed, new and deleted files
 */
export async function watchSources(folders, onChange) {
  const changed = new Set();
  let working = Promise.resolve();
  let timer;
  const watcher = watch(folders, { ignoreInitial: true, ignored: (path) => /\.spec\.ts$|~$/.test(path) });
  watcher.on('all', (event, file) => {
    if (!['add', 'change', 'unlink'].includes(event)) return;
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => {
      working = working.then(async () => {
        const files = [...changed];
        changed.clear();
        if (files.length > 0) await onChange(files);
      });
    }, SETTLE_MS);
  });
  await new Promise((resolve, reject) => watcher.once('ready', resolve).once('error', reject));
  return () => watcher.close();
}

/** Whether `file` is in `folder`. @param {string} file @param {string} folder */
export const isInside = (file, folder) => file.startsWith(folder + sep);
