import { useQuery } from '@tanstack/react-query';
import { client, unwrap } from '../../../server/client/client.js';
import { queryKey } from '../../../server/queries/query-keys.js';

const IMPORT = queryKey('import');

/** What was imported into the viewer's account before (GET /api/me/import). */
export const useImportState = () =>
  useQuery({ queryKey: IMPORT, queryFn: () => unwrap(client.GET('/api/me/import')) });
