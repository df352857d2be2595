import { rendering } from '../rendering/rendering.js';

/** The gateway writes the head of the document (HTTP-27). */
export function Title({ address }: { children: string; address?: string; isPart?: boolean }) {
  rendering().address = address;
  return null;
}

export const useUnreadInTitle = (): void => undefined;
