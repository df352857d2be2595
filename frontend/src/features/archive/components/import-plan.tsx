import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { Me } from '../../../api/types.js';
import { FormAlert } from '../../../components/form-alert.js';
import { longDate } from '../../../components/relative-time.js';
import { useStorage } from '../../../shared/storage.js';
import type { ProfileChoice } from '../importing/import-run.js';
import type { OpenedArchive } from '../importing/read-archive.js';
import { bytesOfFiles, filesThere, missingFiles } from '../importing/tally.js';
import { writtenIn } from '../numbers.js';
import { offeredProfile, openOffers, toChoice } from '../profile-offer.js';
import type { ProfilePart } from '../profile-offer.js';
import { useArchiveTexts } from '../texts.js';
import classes from './archive.module.css';

interface ImportPlanProps {
  me: Me;
  archive: OpenedArchive;
  onBegin: (profile: ProfileChoice) => void;
  onCancel: () => void;
}

/** What an archive has, what of its profile to take, and what will not come along; before anything is sent (UI-78). */
export function ImportPlan({ me, archive, onBegin, onCancel }: ImportPlanProps) {
  const texts = useArchiveTexts();
  const { plan } = texts.import;
  const { number, megabytes } = writtenIn(texts.locale);
  const { source } = archive;
  const offered = offeredProfile(me, archive);
  const [chosen, setChosen] = useState<ReadonlySet<ProfilePart>>(
    () => new Set(offered.filter(({ isWanted }) => isWanted).map(({ part }) => part)),
  );
  const open = openOffers(me, offered, chosen);
  const begin = () => {
    const parts = open.map(({ part }) => part).filter((part) => chosen.has(part));
    onBegin(toChoice(source.profile, new Set(parts)));
  };
  const toggle = (part: ProfilePart) => {
    const next = new Set(chosen);
    if (!next.delete(part)) next.add(part);
    setChosen(next);
  };
  const storage = useStorage().data;
  const bytes = bytesOfFiles(source.posts, archive);
  const room =
    storage && storage.bytesUsed !== null ? storage.quotaBytes - storage.bytesUsed : Number.POSITIVE_INFINITY;
  const missing = missingFiles(source.posts, archive);
  const forSubscribers = source.posts.filter(({ visibility }) => visibility === 'subscribers').length;
  const label: Record<ProfilePart, string> = {
    name: plan.name(source.profile.name),
    bio: plan.bio,
    picture: plan.picture,
    coach: plan.coach,
    specialties: plan.specialties(source.profile.specialties.join(', ')),
  };

  return (
    <>
      <div>
        <p>
          <strong className={classes.value}>{plan.title(source.profile.name)}</strong>
        </p>
        {source.exportedAt !== undefined && (
          <p className={classes.muted}>{plan.made(longDate(source.exportedAt, texts.locale))}</p>
        )}
      </div>
      <ul className={classes.list} aria-label={plan.has}>
        <li>{plan.posts(number(source.posts.length))}</li>
        <li>{plan.comments(number(source.comments.length))}</li>
        <li>{plan.files(number(filesThere(source.posts, archive).length), megabytes(bytes))}</li>
      </ul>
      {offered.length > 0 && (
        <fieldset className={classes.choices}>
          <legend>{plan.profile}</legend>
          {open.map(({ part }) => (
            <Checkbox
              key={part}
              className={classes.check}
              label={label[part]}
              checked={chosen.has(part)}
              onChange={() => toggle(part)}
            />
          ))}
        </fieldset>
      )}
      {forSubscribers > 0 && !me.isCoach && (
        <FormAlert type="info">{plan.forSubscribers(number(forSubscribers))}</FormAlert>
      )}
      {missing > 0 && <FormAlert type="warning">{plan.missing(number(missing))}</FormAlert>}
      {bytes > room && <FormAlert type="warning">{plan.room(megabytes(bytes - room))}</FormAlert>}
      <p className={classes.muted}>{plan.others}</p>
      <div className={classes.actions}>
        <Button variant="default" onClick={onCancel}>
          {texts.dialog.cancel}
        </Button>
        <Button onClick={begin}>{plan.begin}</Button>
      </div>
    </>
  );
}
