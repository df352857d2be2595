import { useQuery } from '@tanstack/react-query';
import { client, unwrap } from './client.js';

export const SPECIALTIES_KEY = ['specialties'] as const;

/** Every specialty known, sorted (GET /api/specialties). */
export const useSpecialties = ({ enabled = true } = {}) =>
  useQuery({
    enabled,
    queryKey: SPECIALTIES_KEY,
    queryFn: async () => (await unwrap(client.GET('/api/specialties'))).items,
    staleTime: 60_000,
  });
