import { createContext, useContext } from 'react';
import { en } from './en.js';
import type { Messages } from './en.js';

/** Languages by BCP 47 tag; Spanish joins here. */
export const catalogues: Record<string, Messages> = { en };

export const MessagesContext = createContext<Messages>(en);

/** The catalogue of the language in use. */
export const useMessages = (): Messages => useContext(MessagesContext);
