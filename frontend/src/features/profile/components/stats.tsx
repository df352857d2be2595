import type { Profile } from '../../../api/types.js';
import { useFiguresTexts } from '../figures-texts.js';
import { PendingFigure } from './pending-figure.js';
import classes from './profile.module.css';

type Stat = keyof Profile['stats'];

/** Which figures a page shows (UI-25). */
export const statsByUsername = (profile: Profile): Stat[] =>
  profile.isCoach ? ['subscribers', 'followers', 'following'] : ['posts', 'followers', 'following'];
export const STATS_BY_ID: Stat[] = ['posts', 'likes', 'comments'];

interface StatsProps {
  profile: Profile;
  /** Figures that are null are not known yet, and have a grey shape. */
  pending?: boolean;
  show: readonly Stat[];
  /** Opens the list of people behind a figure; without it figures are plain text. */
  onOpen?: (list: 'followers' | 'following') => void;
  /** Without the line above, for a small card. */
  compact?: boolean;
}

/** A figure whose service is down is null and shown as a dash (PEOPLE-2). */
export function Stats({ profile, pending, show, onOpen, compact }: StatsProps) {
  const { figures, locale } = useFiguresTexts();
  const format = new Intl.NumberFormat(locale, { notation: 'compact' });
  return (
    <dl className={`${classes.stats} ${compact ? classes.compactStats : ''}`} aria-label={figures.label}>
      {show.map((stat) => {
        const figure = profile.stats[stat];
        const text = figure === null ? '–' : format.format(figure);
        const opens = onOpen && (stat === 'followers' || stat === 'following');
        return (
          <div key={stat} className={classes.stat}>
            <dt>{figures[stat]}</dt>
            <dd>
              {opens ? (
                <button
                  type="button"
                  className={classes.openList}
                  aria-label={figures.openList(text, figures[stat])}
                  onClick={() => onOpen(stat)}
                >
                  {text}
                </button>
              ) : pending && figure === null ? (
                <PendingFigure />
              ) : (
                text
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
