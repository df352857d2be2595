import type { TextInputProps } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { BusyButton } from '../../components/busy-button.js';
import { FormAlert } from '../../components/form-alert.js';
import { PasswordField } from '../../components/password-field.js';
import { ruleTexts } from '../../validation/texts.js';
import classes from './owner-proof-field.module.css';
import { useProofTexts } from './texts.js';
import type { OwnerProof } from './use-owner-proof.js';

interface OwnerProofFieldProps {
  proof: OwnerProof;
  /** Of the form's field `currentPassword`. */
  field: TextInputProps;
}

/** The field of the current password, or what stands in its place (ACCT-43). */
export function OwnerProofField({ proof, field }: OwnerProofFieldProps) {
  const { proof: own } = useProofTexts();
  const holder = useRef<HTMLDivElement>(null);
  // The pressed button has gone: the form can be sent now (UI-46).
  useLayoutEffect(() => {
    if (!proof.isShown || document.activeElement !== document.body) return;
    const form = holder.current?.closest('form');
    form?.querySelector<HTMLElement>('button[type="submit"]')?.focus({ preventScroll: true });
  }, [proof.isShown]);
  if (!proof.hasPassword && !proof.canShow) return null;
  return (
    <div ref={holder} className={classes.proof}>
      {proof.asksPassword && (
        <PasswordField {...field} label={ruleTexts().password.current} autoComplete="current-password" />
      )}
      {proof.isShown ? (
        <FormAlert type="success">{own.done}</FormAlert>
      ) : (
        proof.canShow && (
          <BusyButton
            className={classes.button}
            variant="default"
            label={proof.hasPassword ? own.instead : own.only}
            busyLabel={own.waiting}
            busy={proof.isWaiting}
            onClick={proof.show}
          />
        )
      )}
    </div>
  );
}
