import { pino } from 'pino';

export const logger = pino({ level: process.env.PULSO_TEST_LOG ?? 'silent' });
