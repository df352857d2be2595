import { NativeSelect, TextInput } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { LIMITS } from '../../../api/limits.js';
import { useConfig } from '../../../client/config.js';
import type { CheckedForm } from '../../../validation/use-checked-form.js';
import type { Currency, ProfileForm } from '../profile-draft.js';
import { useProfileTexts } from '../texts.js';
import classes from './profile.module.css';

const CURRENCIES: readonly Currency[] = ['MXN', 'USD'];

/** A coach's price (SUBS-6). The help text stands there only while nobody can be paid. */
export function PriceSettings({ form }: { form: CheckedForm<ProfileForm> }) {
  const { price } = useProfileTexts().profile;
  const payments = useConfig().data?.payments;
  return (
    <fieldset className={classes.group}>
      <legend className={classes.groupTitle}>{price.title}</legend>
      <div className={classes.priceRow}>
        <NativeSelect
          {...form.getInputProps('subscriptionCurrency')}
          label={price.currency}
          data={[...CURRENCIES]}
          rightSection={<IconChevronDown size={18} aria-hidden />}
        />
        <TextInput
          {...form.getInputProps('subscriptionPrice')}
          className={classes.grow}
          label={price.amount}
          type="number"
          inputMode="decimal"
          min={LIMITS.lowestPrice}
          step={LIMITS.priceStep}
        />
      </div>
      {payments === 'none' && <p className={classes.muted}>{price.notEnabled}</p>}
    </fieldset>
  );
}
