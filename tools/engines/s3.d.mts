import type { Engine } from './engine-process.mjs';

export function startS3(directory: string): Promise<Engine & { url: string }>;
