import type { Engine } from './engine-process.mjs';

export function startKafka(directory: string): Promise<Engine & { brokers: string }>;
