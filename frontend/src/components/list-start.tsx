import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { useTexts } from '../i18n/texts.js';
import { useSession } from '../server/session/session.js';
import classes from './list-start.module.css';

/** In the query: the cursor after which the page's list begins. The gateway has the same in `later-part.ts` (HTTP-42). */
const AFTER = 'after';

const useIsVisitor = (): boolean => useSession().status === 'signed-out';

/** The cursor at which a visitor's list begins (UI-70); undefined for its beginning, and for members, whose cursors are others. */
export function useListStart(): string | undefined {
  const [query] = useSearchParams();
  return (useIsVisitor() && query.get(AFTER)) || undefined;
}

/** The page's address, with its list from a cursor on, or whole. */
function useAddress(cursor?: string): { pathname: string; search: string } {
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  query.delete(AFTER);
  if (cursor !== undefined) query.set(AFTER, cursor);
  return { pathname, search: query.toString() };
}

/** Leads a visitor from a later part of a list to its beginning. */
export function ToListStart() {
  const { app } = useTexts();
  const address = useAddress();
  if (useListStart() === undefined) return null;
  return (
    <p>
      <Link to={address} className="text-link">
        {app.toListStart}
      </Link>
    </p>
  );
}

interface NextPartProps {
  label: string;
  /** Of the last page of the list; null at its end. */
  cursor: string | null | undefined;
}

/** In place of the button that loads on: where scripts do not run, and for search engines, the next part of a list is a page (UI-70). */
export function NextPart({ label, cursor }: NextPartProps) {
  const address = useAddress(cursor ?? undefined);
  if (!useIsVisitor() || !cursor) return null;
  return (
    <Link to={address} rel="next" className={classes.next}>
      {label}
    </Link>
  );
}
