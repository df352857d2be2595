import { useRef, useState, useSyncExternalStore } from 'react';
import type { Me } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { FormAlert } from '../../../components/form-alert.js';
import { useFocusKept } from '../../../components/use-focus-kept.js';
import { useImportState } from '../api/get-import-state.js';
import { getImport, runImport, subscribeToImport } from '../import-store.js';
import { ArchiveError } from '../importing/archive-error.js';
import type { ArchiveFault } from '../importing/archive-error.js';
import type { ProfileChoice } from '../importing/import-run.js';
import type { OpenedArchive } from '../importing/read-archive.js';
import { writtenIn } from '../numbers.js';
import { useArchiveTexts } from '../texts.js';
import classes from './archive.module.css';
import { ImportPlan } from './import-plan.js';
import { ImportView, RunningText } from './import-view.js';

/** What reads zip files, and the import itself: few need it. */
const loadImporting = () => import('../importing/importing.js');

/** The import of an archive into the viewer's account (ACCT-46, UI-78): the file, what of it, how far it is, and how it ended. */
export function ImportSetting({ me }: { me: Me }) {
  const { app, import: own } = useArchiveTexts();
  const run = useSyncExternalStore(subscribeToImport, getImport);
  const [archive, setArchive] = useState<OpenedArchive>();
  const holder = useFocusKept<HTMLDivElement>(run ?? archive);
  const begin = async (chosen: OpenedArchive, profile: ProfileChoice) => {
    try {
      const { ImportRun } = await loadImporting();
      setArchive(undefined);
      await runImport(new ImportRun(chosen, profile, me));
    } catch {
      toast({ type: 'error', message: app.loadFailed });
    }
  };
  return (
    <div className={classes.part} ref={holder}>
      <h3 className={classes.title}>{own.title}</h3>
      <p role="status" className={classes.said}>
        {run && <RunningText run={run} />}
      </p>
      {run && <ImportView run={run} />}
      {!run && archive && (
        <ImportPlan
          me={me}
          archive={archive}
          onBegin={(profile) => void begin(archive, profile)}
          onCancel={() => setArchive(undefined)}
        />
      )}
      {!run && !archive && <Choice me={me} onOpened={setArchive} />}
    </div>
  );
}

function Choice({ me, onOpened }: { me: Me; onOpened: (archive: OpenedArchive) => void }) {
  const texts = useArchiveTexts();
  const own = texts.import;
  const { number } = writtenIn(texts.locale);
  const { data: state } = useImportState();
  const hasBegun = state !== undefined && state.sourceUserId !== null && state.posts + state.comments > 0;
  // The server looks for comments, too (ACCT-46).
  const isTaken = state?.sourceUserId === null && (me.stats?.posts ?? 0) > 0;
  const [isReading, setReading] = useState(false);
  const [fault, setFault] = useState<ArchiveFault>();
  const input = useRef<HTMLInputElement>(null);

  const open = async (file: File) => {
    setReading(true);
    setFault(undefined);
    try {
      const { openArchive } = await loadImporting();
      const archive = await openArchive(file);
      if (hasBegun && state.sourceUserId !== archive.source.userId) setFault('otherSource');
      else onOpened(archive);
    } catch (error) {
      if (error instanceof ArchiveError) setFault(error.fault);
      else toast({ type: 'error', message: texts.app.loadFailed });
    } finally {
      setReading(false);
    }
  };
  const onChosen = () => {
    const file = input.current?.files?.[0];
    if (!file || !input.current) return;
    void open(file);
    // Else the same file could not be chosen again.
    input.current.value = '';
  };
  // The code, while somebody looks for the file; what fails is told when it is needed.
  const prefetch = () => void loadImporting().catch(() => undefined);

  return (
    <>
      <p className={classes.muted}>{own.text}</p>
      {isTaken && <FormAlert type="info">{own.notEmpty}</FormAlert>}
      {hasBegun && (
        <FormAlert type="info">{own.begun(number(state.posts), number(state.comments))}</FormAlert>
      )}
      {fault && <FormAlert>{own.faults[fault]}</FormAlert>}
      {!isTaken && (
        <div className={classes.actions} onPointerEnter={prefetch} onFocus={prefetch}>
          <BusyButton
            variant="default"
            label={own.choose}
            busyLabel={own.reading}
            busy={isReading}
            onClick={() => input.current?.click()}
          />
        </div>
      )}
      <input
        ref={input}
        type="file"
        accept=".zip,application/zip"
        hidden
        aria-label={own.choose}
        onChange={onChosen}
      />
    </>
  );
}
