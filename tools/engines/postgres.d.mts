import type { Engine } from './engine-process.mjs';

export function startPostgres(directory: string): Promise<Engine & { url: string }>;
