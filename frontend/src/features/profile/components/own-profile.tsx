import { Button } from '@mantine/core';
import { useLayoutEffect, useReducer, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Me } from '../../../api/types.js';
import { NoPriceNote } from '../../../shared/subscribing/no-price-note.js';
import { coachPath, profilePath } from '../../../components/profile-path.js';
import { useMe } from '../api/get-me.js';
import { useProfileDraft } from '../profile-draft.js';
import { useProfileTexts } from '../texts.js';
import { EditProfileForm } from './edit-profile-form.js';
import { ProfileHead } from './profile-head.js';
import classes from './profile.module.css';
import { STATS_BY_ID, Stats } from './stats.js';
import { StorageUsage } from './storage-usage.js';

interface OwnProfileProps {
  viewer: Me;
  /** Of a coach, beside the link to the public page. */
  coachActions?: (me: Me) => ReactNode;
}

/** The head of one's own profile: view or edit (UI-28, UI-29). */
export function OwnProfile({ viewer, coachActions }: OwnProfileProps) {
  const { profile } = useProfileTexts();
  const [begun, setBegun] = useState(false);
  const [restored, countRestored] = useReducer((count: number) => count + 1, 0);
  const draft = useProfileDraft(viewer.id);
  // What was left unsaved is open again.
  const editing = begun || draft !== undefined;
  const title = useRef<HTMLHeadingElement>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(editing);
  const { me, pending } = useMe(viewer);

  // The pressed button is removed with its view; the new view gets the focus.
  useLayoutEffect(() => {
    if (wasEditing.current === editing) return;
    wasEditing.current = editing;
    (editing ? title : editButton).current?.focus();
  }, [editing]);

  if (editing) {
    return (
      <section className="card">
        <h1 ref={title} tabIndex={-1} className={classes.formTitle}>
          {profile.edit}
        </h1>
        <EditProfileForm
          key={restored}
          me={me}
          draft={draft}
          onDone={() => setBegun(false)}
          onUndone={countRestored}
        />
      </section>
    );
  }
  return (
    <>
      <section className="card">
        <ProfileHead
          profile={me}
          pending={pending}
          coachBadge={profile.coachBadge}
          email={me.email}
          action={
            <Button ref={editButton} variant="default" onClick={() => setBegun(true)}>
              {profile.edit}
            </Button>
          }
        />
        <Stats profile={me} pending={pending} show={STATS_BY_ID} />
      </section>
      <NoPriceNote coach={me} />
      <section className={`card ${classes.panel}`}>
        <div>
          <h2 className={classes.panelTitle}>
            {me.isCoach ? profile.yourCoachProfile : profile.yourPublicProfile}
          </h2>
          <p className={classes.muted}>
            {me.isCoach ? profile.yourCoachProfileText : profile.yourPublicProfileText}
          </p>
        </div>
        <div className={classes.panelActions}>
          <Button component={Link} to={me.isCoach ? coachPath(me.id) : profilePath(me)} variant="default">
            {me.isCoach ? profile.viewCoachProfile : profile.viewPublicProfile}
          </Button>
          {me.isCoach && coachActions?.(me)}
        </div>
      </section>
      <StorageUsage />
    </>
  );
}
