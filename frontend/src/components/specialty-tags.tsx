import { useTexts } from '../i18n/texts.js';
import { Badge } from './badge.js';
import classes from './specialty-tags.module.css';

/** On a coach's card (UI-31, SUBS-23). */
const SHOWN_TAGS = 3;

/** A coach's first specialties, and how many more there are. Nothing without any. */
export function SpecialtyTags({ specialties }: { specialties: readonly string[] }) {
  const { account } = useTexts();
  const first = specialties.slice(0, SHOWN_TAGS);
  const rest = specialties.length - first.length;
  if (first.length === 0) return null;
  return (
    <ul className={classes.tags} aria-label={account.specialties}>
      {first.map((specialty) => (
        <li key={specialty}>
          <Badge long>{specialty}</Badge>
        </li>
      ))}
      {rest > 0 && <li className={classes.more}>{account.moreSpecialties(rest)}</li>}
    </ul>
  );
}
