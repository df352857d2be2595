import { Button, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { typedKey } from '../../../components/shortcuts/typed-key.js';
import { useFocusHandover } from '../../../components/use-focus-handover.js';
import { specialtyError } from '../../../validation/account.js';
import { isBlank } from '../../../validation/text.js';
import { addSpecialty, suggestSpecialties } from '../specialties.js';
import { useProfileTexts } from '../texts.js';
import classes from './profile.module.css';

interface SpecialtiesEditorProps {
  /** Suggestions are taken from these. */
  known: readonly string[];
  value: readonly string[];
  /** Typed, but not added yet. Part of the form's values, since saving adds it. */
  text: string;
  onChange: (specialties: string[], text: string) => void;
  error?: ReactNode;
  /** Where the form finds the field, to focus it. */
  'data-path'?: string;
}

/** Free text with suggestions, and removable tags (UI-30). */
export function SpecialtiesEditor({
  known,
  value,
  text,
  onChange,
  error,
  'data-path': path,
}: SpecialtiesEditorProps) {
  const texts = useProfileTexts();
  const { account, profile } = texts;
  const tooLong = specialtyError(text, texts);
  const ready = !isBlank(text) && !tooLong;
  const suggestions = suggestSpecialties(known, value, text);

  const add = (specialty: string) => onChange(addSpecialty(known, value, specialty), '');
  const onKeyDown = (event: KeyboardEvent) => {
    if (typedKey(event) !== 'Enter') return;
    event.preventDefault();
    if (ready) add(text);
  };

  return (
    <div className={classes.specialties}>
      <div className={classes.addRow}>
        <TextInput
          className={classes.grow}
          data-path={path}
          label={account.specialties}
          placeholder={profile.specialtiesPlaceholder}
          value={text}
          error={tooLong ?? error}
          onChange={(event) => onChange([...value], event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Button
          variant="default"
          aria-disabled={!ready}
          data-disabled={!ready || undefined}
          onClick={() => ready && add(text)}
        >
          {profile.addSpecialty}
        </Button>
      </div>
      {value.length > 0 && (
        <ul className={classes.tags} aria-label={account.specialties}>
          {value.map((specialty) => (
            <Tag key={specialty}>
              <button
                type="button"
                className={`${classes.tag} ${classes.chosen}`}
                aria-label={profile.removeSpecialty(specialty)}
                onClick={() =>
                  onChange(
                    value.filter((one) => one !== specialty),
                    text,
                  )
                }
              >
                {specialty} <IconX size={16} aria-hidden />
              </button>
            </Tag>
          ))}
        </ul>
      )}
      {suggestions.length > 0 && (
        <ul className={classes.tags} aria-label={profile.quickPicks}>
          {suggestions.map((specialty) => (
            <Tag key={specialty}>
              <button type="button" className={classes.tag} onClick={() => add(specialty)}>
                <IconPlus size={16} aria-hidden /> {specialty}
              </button>
            </Tag>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A tag that is removed gives the focus to its neighbour. */
function Tag({ children }: { children: ReactNode }) {
  const item = useFocusHandover<HTMLLIElement>('form');
  return (
    <li ref={item} tabIndex={-1}>
      {children}
    </li>
  );
}
