import { EXPORT_END } from '../../../api/settings-limits.js';
import { client, unwrap } from '../../../server/client/client.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';

const FILE_NAME = 'pulso-export.json';
/** The browser has begun to read it by then. */
const KEPT_MS = 60_000;

interface Outcome {
  onSaved: () => void;
  onFailed: (error: Error) => void;
}

/**
 * GET /api/me/export: has the browser save the document (ACCT-35), once all of it has come: one that is cut fails. The callbacks run even if
 * the page has been left.
 */
export function useDownloadExport({ onSaved, onFailed }: Outcome) {
  return useSingleMutation({
    mutationFn: async () => {
      const file = await unwrap(client.GET('/api/me/export', { parseAs: 'blob' }));
      // A proxy may end a cut one as if it were whole.
      if (!(await endOf(file)).includes(EXPORT_END)) throw new Error('The export was cut.');
      save(file);
    },
    onSuccess: onSaved,
    onError: onFailed,
  });
}

/** With the end of the line. */
const endOf = (file: Blob): Promise<string> => file.slice(-EXPORT_END.length - 1).text();

function save(file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = FILE_NAME;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
