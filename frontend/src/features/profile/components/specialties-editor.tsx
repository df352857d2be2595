import { Button, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useSpecialties } from '../../../api/get-specialties.js';
import { useMessages } from '../../../i18n/messages.js';
import { LIMITS } from '../../../validation/text.js';
import { KNOWN_SPECIALTIES, addSpecialty, suggestSpecialties } from '../specialties.js';
import classes from './profile.module.css';

interface SpecialtiesEditorProps {
  value: readonly string[];
  onChange: (specialties: string[]) => void;
  error?: string;
}

/** Free text with suggestions, and removable tags (product.md section 2, "My profile"). */
export function SpecialtiesEditor({ value, onChange, error }: SpecialtiesEditorProps) {
  const { profile } = useMessages();
  const [text, setText] = useState('');
  const all = useSpecialties().data ?? KNOWN_SPECIALTIES;
  const suggestions = suggestSpecialties(all, value, text);

  const add = (specialty: string) => {
    onChange(addSpecialty(all, value, specialty));
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add(text);
  };

  return (
    <div className={classes.specialties}>
      <div className={classes.addRow}>
        <TextInput
          className={classes.grow}
          label={profile.specialties}
          placeholder={profile.specialtiesPlaceholder}
          maxLength={LIMITS.specialty}
          value={text}
          error={error}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Button variant="default" disabled={text.trim() === ''} onClick={() => add(text)}>
          {profile.addSpecialty}
        </Button>
      </div>
      {value.length > 0 && (
        <ul className={classes.tags} aria-label={profile.specialties}>
          {value.map((specialty) => (
            <li key={specialty}>
              <button
                type="button"
                className={`${classes.tag} ${classes.chosen}`}
                aria-label={profile.removeSpecialty(specialty)}
                onClick={() => onChange(value.filter((one) => one !== specialty))}
              >
                {specialty} <IconX size={16} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      {suggestions.length > 0 && (
        <ul className={classes.tags} aria-label={profile.quickPicks}>
          {suggestions.map((specialty) => (
            <li key={specialty}>
              <button type="button" className={classes.tag} onClick={() => add(specialty)}>
                <IconPlus size={16} aria-hidden /> {specialty}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
