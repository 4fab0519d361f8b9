import { Link } from '@tanstack/react-router'
import { useId, type ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { Field } from '#ui/fields/field.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { gatewayTexts } from '../../texts.ts'
import type { LimitsField, LimitsForm } from './limits-form.ts'

const LIMIT_TEXT = {
  dayBudget: 'limit_dayBudget',
  monthBudget: 'limit_monthBudget',
  requestsPerMinute: 'limit_requestsPerMinute',
  tokensPerMinute: 'limit_tokensPerMinute',
  concurrency: 'limit_concurrency',
  models: 'limit_models',
  networks: 'limit_networks',
} as const
const LIMIT_HINT_TEXT = { models: 'limitHint_models', networks: 'limitHint_networks', abort: 'limitHint_abort', drain: 'limitHint_drain' } as const

interface Props {
  readonly form: LimitsForm
  readonly wrong: { readonly field: LimitsField; readonly message: string } | undefined
  readonly onChange: (change: Partial<LimitsForm>) => void
}

/** Form fields of a key's limits. An empty field means no limit, and its placeholder states so. */
export function LimitsFields({ form, wrong, onChange }: Props) {
  const t = useTexts(gatewayTexts)
  const line = (field: Exclude<LimitsField, 'models' | 'networks' | 'onDisconnect' | 'lastDay'>) => (
    <TextField
      label={t(LIMIT_TEXT[field])}
      value={form[field]}
      error={wrong?.field === field ? wrong.message : undefined}
      placeholder={t('limitNone')}
      inputMode={field.endsWith('Budget') ? 'decimal' : 'numeric'}
      autoComplete="off"
      maxLength={14}
      onChange={(event) => onChange({ [field]: event.target.value })}
    />
  )
  const list = (field: 'models' | 'networks', sample: string) => (
    <ListField
      label={t(LIMIT_TEXT[field])}
      hint={t(LIMIT_HINT_TEXT[field])}
      value={form[field]}
      error={wrong?.field === field ? wrong.message : undefined}
      placeholder={`${t('limitNone')}\n${sample}`}
      onChange={(value) => onChange({ [field]: value })}
    />
  )
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="grid gap-4 desktop:grid-cols-2">
        {line('dayBudget')}
        {line('monthBudget')}
      </div>
      <p className="-mt-2 text-13 text-fg-3">{t('limitBudgetNote')}</p>
      <div className="grid gap-4 desktop:grid-cols-3">
        {line('requestsPerMinute')}
        {line('tokensPerMinute')}
        {line('concurrency')}
      </div>
      <div className="grid gap-4 desktop:grid-cols-2">
        {list('models', 'openai/*\nclaude-*')}
        {list('networks', '203.0.113.0/24\n2001:db8::/32')}
      </div>
      <div className="grid gap-4 desktop:grid-cols-2">
        <TextField
          label={t('limit_lastDay')}
          hint={t('limitHint_lastDay')}
          type="date"
          value={form.lastDay}
          min={toShanghaiDay(Date.now())}
          error={wrong?.field === 'lastDay' ? wrong.message : undefined}
          onChange={(event) => onChange({ lastDay: event.target.value })}
        />
        <PickField
          label={t('limit_onDisconnect')}
          hint={t(LIMIT_HINT_TEXT[form.onDisconnect])}
          value={form.onDisconnect}
          options={[
            { value: 'abort', label: t('limitDisconnect_abort') },
            { value: 'drain', label: t('limitDisconnect_drain') },
          ]}
          onChange={(onDisconnect) => onChange({ onDisconnect })}
        />
      </div>
      <p className="text-13">
        <Link to="/help/$slug" params={{ slug: 'key-limits' }} target="_blank" className="link">
          {t('limitsHelp')}
        </Link>
      </p>
    </div>
  )
}

interface ListProps {
  readonly label: ReactNode
  readonly hint: string
  readonly value: string
  readonly error: string | undefined
  readonly placeholder: string
  readonly onChange: (value: string) => void
}

/** A list as text, one entry per line. */
function ListField({ label, hint, value, error, placeholder, onChange }: ListProps) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <textarea
        id={id}
        rows={3}
        value={value}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={4000}
        className="input min-h-20 resize-y py-2 font-mono text-13 mobile:text-16"
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
