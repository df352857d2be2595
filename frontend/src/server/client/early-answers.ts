import { viewerId } from '../session/session.js';

/** How long, in ms, an answer waits for the code of the page that uses it. */
const MAX_AGE_MS = 15_000;

interface EarlyAnswer {
  answer: Promise<Response>;
  /** Once the answer is there. */
  arrived?: { at: number; viewer: string | undefined };
}

const answers = new Map<string, EarlyAnswer>();

type Fetch = (request: Request) => Promise<Response>;

const urlOf = (path: string): string => new URL(path, location.origin).href;

/** Sends `GET path` before the code of the page that needs the answer is there. */
export function askEarly(send: Fetch, path: string): Promise<Response> {
  const answer = send(new Request(urlOf(path)));
  const early: EarlyAnswer = { answer };
  answers.set(urlOf(path), early);
  const note = () => (early.arrived = { at: Date.now(), viewer: viewerId() });
  // A failure is told where the answer is used.
  answer.then(note, note);
  return answer;
}

const isGood = ({ arrived }: EarlyAnswer): boolean =>
  !arrived || (Date.now() - arrived.at < MAX_AGE_MS && arrived.viewer === viewerId());

/** As `send`, but uses the answer that was asked for early. Each is used once, and none after the first change. */
export const withEarlyAnswers =
  (send: Fetch): Fetch =>
  (request) => {
    if (request.method !== 'GET') answers.clear();
    const early = answers.get(request.url);
    answers.delete(request.url);
    return early && isGood(early) ? early.answer : send(request);
  };

/** They were for another viewer. */
export const forgetEarlyAnswers = (): void => answers.clear();
