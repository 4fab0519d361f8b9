import { Ban, CircleAlert, Scale } from 'lucide-react'
import type { ReactNode } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Field } from '#ui/fields/field.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { REASON_CODES } from '../../../words.ts'
import { useConsoleFormatter } from '../format.ts'
import { kitTexts } from '../texts.ts'
import { listMovedFigures } from './moved-figures.ts'
import { PreviewReceipt } from './preview-receipt.tsx'
import type { CommandRequest } from './types.ts'
import type { OpenCommand } from './use-command.ts'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { formatBeijingField, parseBeijingField } from '../beijing.ts'
import type { InputField } from './schema.ts'

interface InputFieldsProps {
  readonly fields: readonly InputField[]
  readonly typed: Readonly<Record<string, unknown>>
  readonly onType: (name: string, value: unknown) => void
}

/** The fields of a command's input, from its schema. */
function InputFields({ fields, typed, onType }: InputFieldsProps) {
  return (
    <div className="grid grid-cols-1 gap-3">
      {fields.map((field) => (
        <InputFieldControl key={field.name} field={field} value={typed[field.name] ?? field.fallback} onType={(value) => onType(field.name, value)} />
      ))}
    </div>
  )
}

function InputFieldControl({
  field: { name, kind, isRequired, options, maxLength, isNullable },
  value,
  onType,
}: {
  readonly field: InputField
  readonly value: unknown
  readonly onType: (value: unknown) => void
}) {
  const t = useTexts(kitTexts)
  const say = useConsoleFormatter()
  const label = isRequired ? say.field(name) : t('optionalField', { field: say.field(name) })
  if (kind === 'switch') return <CheckboxField label={say.field(name)} checked={value === true} onChange={(event) => onType(event.target.checked)} />
  if (kind === 'choice')
    return (
      <PickField
        label={label}
        value={String(value ?? '')}
        onChange={onType}
        options={[{ value: '', label: t('choose') }, ...options.map((one) => ({ value: one, label: say.value(one) }))]}
      />
    )
  if (kind === 'choices') {
    const chosen = Array.isArray(value) ? (value as string[]) : []
    return (
      <fieldset>
        <legend className="mb-1 text-14 font-medium">{label}</legend>
        <div className="grid grid-cols-2 gap-x-4">
          {options.map((one) => (
            <CheckboxField
              key={one}
              label={name === 'roles' ? say.role(one) : say.value(one)}
              checked={chosen.includes(one)}
              onChange={(event) => onType(event.target.checked ? [...chosen, one] : chosen.filter((other) => other !== one))}
            />
          ))}
        </div>
      </fieldset>
    )
  }
  if (kind === 'json' || (kind === 'text' && (maxLength ?? 0) > 500))
    return (
      <Field id={`input-${name}`} label={label}>
        <textarea
          id={`input-${name}`}
          rows={kind === 'json' ? 6 : 4}
          className={`input ${kind === 'json' ? 'num' : ''}`}
          value={typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value, null, 2)}
          onChange={(event) => onType(event.target.value)}
        />
      </Field>
    )
  if (kind === 'instant') return <InstantField label={label} value={value} onType={onType} />
  return (
    <TextField
      label={label}
      hint={isNullable ? t('dashIsNone') : undefined}
      value={String(value ?? '')}
      onChange={(event) => onType(event.target.value)}
      type={kind === 'secret' ? 'password' : 'text'}
      inputMode={kind === 'text' || kind === 'secret' ? undefined : 'decimal'}
      maxLength={maxLength ?? 200}
      className={kind === 'text' ? '' : 'num'}
      suffix={kind === 'money' ? <span className="pr-2 text-12 text-fg-3">USD</span> : undefined}
      autoComplete={kind === 'secret' ? 'new-password' : 'off'}
    />
  )
}

/** Date and time field in Beijing time, regardless of the operator's time zone. */
function InstantField({ label, value, onType }: { readonly label: string; readonly value: unknown; readonly onType: (value: unknown) => void }) {
  const t = useTexts(kitTexts)
  return (
    <TextField
      label={label}
      hint={t('beijing')}
      type="datetime-local"
      value={typeof value === 'string' && value ? formatBeijingField(Date.parse(value)) : ''}
      onChange={(event) => onType(parseBeijingField(event.target.value) ?? '')}
    />
  )
}

/** Body of a command's dialog: its fields, preview, reason, and possible approvers. */
export function CommandBody({ command, wish }: { readonly command: OpenCommand; readonly wish: CommandRequest }) {
  const t = useTexts(kitTexts)
  const { preview } = command
  if (!command.isKnown) return <SkeletonRows rows={4} />
  if (!command.command?.may) return <CommandNotice tone="danger">{t('mayNot')}</CommandNotice>
  return (
    <div className="grid grid-cols-1 gap-4 pb-1">
      {command.open.length ? <InputFields fields={command.open} typed={command.typed} onType={command.onType} /> : null}
      {preview.isError ? (
        <ErrorState error={preview.error} onRetry={() => void preview.refetch()} title={t('previewFailed')} />
      ) : preview.data ? (
        <CommandEffectsView command={command} wish={wish} />
      ) : preview.isFetching ? (
        <SkeletonRows rows={4} />
      ) : (
        <p className="rounded-card bg-sunken px-3 py-2 text-13 text-fg-2">{t('previewAfterInput')}</p>
      )}
    </div>
  )
}

function CommandEffectsView({ command, wish }: { readonly command: OpenCommand; readonly wish: CommandRequest }) {
  const t = useTexts(kitTexts)
  const say = useConsoleFormatter()
  const { preview, refusal, moved, level, failure } = command
  const { shown, canBeUndone } = preview.data!
  if (refusal)
    return (
      <CommandNotice tone="danger" title={t('wouldBeRefused')}>
        {say.refusal(refusal.name)}
      </CommandNotice>
    )
  return (
    <>
      <PreviewReceipt shown={moved?.now ?? shown} before={moved?.expected} at={preview.dataUpdatedAt} />
      {moved ? (
        <CommandNotice tone="warning" title={t('movedTitle', { n: listMovedFigures(moved.expected, moved.now).length })}>
          <p>{t('movedBody')}</p>
          <Button variant="secondary" className="mt-2" onClick={command.lookAgain}>
            {t('lookAgain')}
          </Button>
        </CommandNotice>
      ) : null}
      {wish.warning ? <CommandNotice tone="danger">{wish.warning}</CommandNotice> : null}
      {level === 'forbidden' ? <CommandNotice tone="danger">{t('ruleForbids')}</CommandNotice> : null}
      {level !== 'free' && level !== 'forbidden' ? <ReasonFields command={command} /> : null}
      <p className="flex items-start gap-2 text-12 text-fg-3">
        <Scale size={14} strokeWidth={1.75} className="mt-0.5 shrink-0" aria-hidden="true" />
        <span>
          {level ? say.level(level) : null}
          {canBeUndone ? t('undoNote') : t('noUndoNote')}
        </span>
      </p>
      {failure ? <CommandFailure error={failure} /> : null}
    </>
  )
}

function ReasonFields({ command }: { readonly command: OpenCommand }) {
  const t = useTexts(kitTexts)
  const say = useConsoleFormatter()
  return (
    <div className="grid grid-cols-[156px_minmax(0,1fr)] gap-2 mobile:grid-cols-1">
      <PickField
        label={t('reasonCode')}
        value={command.reasonCode}
        onChange={command.setReasonCode}
        options={REASON_CODES.filter((code) => code !== 'undo').map((code) => ({ value: code as string, label: say.reason(code) }))}
      />
      <Field id="reason" label={t('reason')} hint={t('reasonHint')}>
        <input
          id="reason"
          className="input"
          value={command.reason}
          maxLength={2000}
          autoComplete="off"
          aria-describedby="reason-note"
          onChange={(event) => command.setReason(event.target.value)}
        />
      </Field>
      <Field id="ticket" label={t('ticket')} className="col-span-full">
        <input
          id="ticket"
          className="input"
          value={command.link}
          maxLength={500}
          autoComplete="off"
          onChange={(event) => command.setLink(event.target.value)}
        />
      </Field>
    </div>
  )
}

/** Error of a command, with a link to the pending command for the same subject. */
function CommandFailure({ error }: { readonly error: Error }) {
  const t = useTexts(kitTexts)
  const no = isApiError(error) && error.errorName === 'COMMAND_WAITS' ? (error.data as { no?: string } | null)?.no : undefined
  return (
    <CommandNotice tone="danger">
      {error.message}
      {no ? (
        <a className="link ml-2" href={`/approvals?open=${no}`}>
          {t('seeIt')}
        </a>
      ) : null}
    </CommandNotice>
  )
}

/** Notice to be read before the button is pressed. */
export function CommandNotice({ tone, title, children }: { readonly tone: 'danger' | 'warning'; readonly title?: string; readonly children: ReactNode }) {
  const Icon = tone === 'danger' ? Ban : CircleAlert
  const color = tone === 'danger' ? 'text-danger' : 'text-warning'
  return (
    <div role="alert" className={`flex items-start gap-2.5 rounded-card border p-3 text-13 ${tone === 'danger' ? 'border-danger' : 'border-warning'}`}>
      <Icon size={16} strokeWidth={1.75} className={`mt-0.5 shrink-0 ${color}`} aria-hidden="true" />
      <div className="min-w-0">
        {title ? <p className={`font-semibold ${color}`}>{title}</p> : null}
        {children}
      </div>
    </div>
  )
}
