import { Button } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { Link } from 'react-router-dom';
import { FormAlert } from '../../../components/form-alert.js';
import { ProgressBar } from '../../../components/progress-bar.js';
import { useFocusKept } from '../../../components/use-focus-kept.js';
import { ApiError, errorText, hasCode } from '../../../server/http/api-error.js';
import { forgetImport, runImport } from '../import-store.js';
import { ArchiveError } from '../importing/archive-error.js';
import type { ImportRun, ImportView as View } from '../importing/import-run.js';
import { REASONS } from '../importing/left-out.js';
import type { Waiting } from '../importing/patiently.js';
import { writtenIn } from '../numbers.js';
import { useArchiveTexts } from '../texts.js';
import type { ArchiveTexts } from '../texts.js';
import classes from './archive.module.css';

/** An import under way, stopped or at its end: in numbers, with what was left out (UI-78). */
export function ImportView({ run }: { run: ImportRun }) {
  const { import: own } = useArchiveTexts();
  const view = useSyncExternalStore(run.subscribe, run.getView);
  const { phase } = view;
  const holder = useFocusKept<HTMLDivElement>(phase);
  return (
    <div className={classes.part} ref={holder}>
      <Phase view={view} />
      {phase !== 'done' && <ProgressBar label={own.progress} percent={100 * view.share} />}
      <Figures view={view} />
      {phase !== 'running' && <LeftOutList view={view} />}
      <div className={classes.actions}>
        {phase === 'running' && (
          <Button variant="default" onClick={() => run.stop()}>
            {own.stop}
          </Button>
        )}
        {(phase === 'stopped' || (phase === 'failed' && mayGoOn(view.failure))) && (
          <Button onClick={() => void runImport(run)}>{own.goOn}</Button>
        )}
        {phase === 'done' && (
          <Button component={Link} to="/profile">
            {own.viewProfile}
          </Button>
        )}
        {phase !== 'running' && (
          <Button variant="default" onClick={forgetImport}>
            {own.close}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Another file or another account is needed where not. */
const mayGoOn = (failure: unknown): boolean =>
  !(failure instanceof ArchiveError) && !hasCode(failure, 'account-not-empty');

/** While an import is under way: what it does, or waits for. */
export function RunningText({ run }: { run: ImportRun }) {
  const texts = useArchiveTexts();
  const { phase, waiting } = useSyncExternalStore(run.subscribe, run.getView);
  if (phase !== 'running') return null;
  return waiting ? waitText(waiting, texts) : texts.import.running;
}

function Phase({ view: { phase, failure } }: { view: View }) {
  const texts = useArchiveTexts();
  const own = texts.import;
  switch (phase) {
    case 'running':
      return null;
    case 'stopped':
      return <FormAlert type="info">{own.stopped}</FormAlert>;
    case 'failed':
      return <FormAlert>{failureText(failure, texts)}</FormAlert>;
    case 'done':
      return <FormAlert type="success">{own.done}</FormAlert>;
  }
}

function Figures({ view: { posts, comments, files } }: { view: View }) {
  const texts = useArchiveTexts();
  const own = texts.import;
  const { number } = writtenIn(texts.locale);
  return (
    <ul className={classes.figures}>
      <li>{own.postsOf(number(posts.done), number(posts.of))}</li>
      <li>{own.commentsOf(number(comments.done), number(comments.of))}</li>
      <li>{own.filesOf(number(files.done), number(files.of))}</li>
    </ul>
  );
}

function LeftOutList({ view: { leftOut, reasons } }: { view: View }) {
  const texts = useArchiveTexts();
  const own = texts.import;
  const { number } = writtenIn(texts.locale);
  const told = REASONS.filter((reason) => leftOut[reason] !== undefined);
  if (told.length === 0) return null;
  return (
    <div>
      <h4 className={classes.title}>{own.leftOut.title}</h4>
      <ul className={classes.list}>
        {told.map((reason) => (
          <li key={reason}>{own.leftOut[reason](number(leftOut[reason] ?? 0))}</li>
        ))}
      </ul>
      {reasons.map((reason) => (
        <p key={reason} className={classes.muted}>
          {own.reason(reason)}
        </p>
      ))}
    </div>
  );
}

function waitText(waiting: Waiting, { import: own, locale }: ArchiveTexts): string {
  if (waiting.for !== 'limit') return own.waiting[waiting.for];
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(waiting.until);
  return own.waiting.limit(time);
}

function failureText(failure: unknown, texts: ArchiveTexts): string | undefined {
  const own = texts.import;
  if (failure instanceof ArchiveError) return own.faults[failure.fault];
  if (hasCode(failure, 'account-not-empty')) return own.notEmpty;
  const text = errorText(failure, own.failed, texts);
  const isRefused = failure instanceof ApiError && failure.status < 500 && failure.detail !== undefined;
  return isRefused && text === own.failed ? `${text} ${own.reason(failure.detail)}` : text;
}
