import { useEffect, useState } from 'react';
import type { Config } from '../../../api/types.js';
import { withEarlyAnswers } from '../../../server/client/early-answers.js';
import { send } from '../../../server/client/send.js';
import { answerOf } from '../../../browser/page-data.js';

/** Neither the client nor a query, whose code would be a tenth of what the landing page loads (UI-47). */
const fetchOnce = withEarlyAnswers(send);

const PATH = '/api/config';

/** As a query does: before the one retry, in ms. */
const RETRY_MS = 500;

async function readConfig(retries = 1): Promise<Config | undefined> {
  try {
    const answer = await fetchOnce(new Request(new URL(PATH, location.origin)));
    if (answer.ok) return (await answer.json()) as Config;
    if (answer.status < 500) return undefined;
  } catch {
    // An answer that was lost is asked for again, too.
  }
  if (retries === 0) return undefined;
  await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  return readConfig(retries - 1);
}

/** It does not change while a page is open. */
let known: Config | undefined;

/**
 * GET /api/config, which has the marketing claims of the landing page (UI-13); undefined until it is there. A page that lacks
 * it asks again when the network is back.
 */
export function useConfig(): Config | undefined {
  const [config, setConfig] = useState(() => known ?? answerOf<Config>(PATH));
  useEffect(() => {
    if (config) return;
    let over = false;
    const read = async () => {
      const answer = await readConfig();
      known = answer ?? known;
      if (!over) setConfig(known);
    };
    const onOnline = () => void read();
    void read();
    window.addEventListener('online', onOnline);
    return () => {
      over = true;
      window.removeEventListener('online', onOnline);
    };
  }, [config]);
  return config;
}
