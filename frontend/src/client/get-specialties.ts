import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../api/query-keys.js';
import { client, unwrap } from './client.js';

/** Every specialty known, sorted (GET /api/specialties). */
export const useSpecialties = ({ enabled = true } = {}) =>
  useQuery({
    enabled,
    queryKey: queryKeys.specialties,
    queryFn: async () => (await unwrap(client.GET('/api/specialties'))).items,
    staleTime: 60_000,
  });
