import type { TextKeyOf } from '#platform/shared/texts.ts'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import type { OpeningFlow } from '#features/identity/contract.ts'
import type { FieldReading } from '#features/identity/contract-papers.ts'
import { isEditedRow, needsConfirmation, findRowReading, CHECK_ROWS } from './form.ts'
import type { CheckRowName } from './form.ts'
import { openingTexts } from './texts.ts'
import { usePicture } from './papers/use-picture.ts'
import { parsePaper } from './papers/use-papers.ts'
import type { PapersForm } from './papers/use-papers.ts'
import { Check, TriangleAlert } from 'lucide-react'
import { PictureCrop } from './papers/crop.tsx'

interface CheckRowProps {
  readonly id: string
  readonly label: string
  readonly field: FieldReading | undefined
  readonly picture: { readonly src: string | undefined; readonly width: number; readonly height: number } | undefined
  /** Origin of the value, shown if there is no image crop. */
  readonly origin?: string
  readonly tall?: boolean
  /** `ok` undefined: a hint without a check. */
  readonly note: { readonly ok: boolean | undefined; readonly text: string }
  readonly error: string | undefined
  /** Set where the user must confirm the row. */
  readonly tick: { readonly on: boolean; readonly set: (on: boolean) => void } | undefined
  readonly onFocus: () => void
  readonly children: ReactNode
}

/** One row of a document: its name, its part of the picture, the value read, and the test of it. */
function CheckRow({ id, label, field, picture, origin, tall = false, note, error, tick, onFocus, children }: CheckRowProps) {
  const t = useTexts(openingTexts)
  const warn = tick !== undefined && !tick.on
  return (
    <div
      id={`row-${id}`}
      role="group"
      aria-label={label}
      onFocus={onFocus}
      className="grid grid-cols-[72px_252px_minmax(0,1fr)] items-start gap-x-4 gap-y-2 border-t border-line py-3 mobile:grid-cols-1"
    >
      <p className="pt-2.5 text-14 font-medium mobile:pt-0 mobile:font-bold">{label}</p>
      <div className="min-w-0">
        {field?.box && picture ? (
          <PictureCrop src={picture.src} size={picture} box={field.box} tall={tall} />
        ) : (
          <p className="pt-2.5 text-13 text-fg-3 mobile:pt-0">{origin ?? t('typed')}</p>
        )}
      </div>
      <div className="min-w-0">
        <div className={warn ? 'rounded-control border-l-[3px] border-warning' : ''}>{children}</div>
        <div className="mt-1.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-13">
          <p id={`note-${id}`} className={`flex items-center gap-1.5 ${error ? 'text-danger' : note.ok === false ? 'text-warning' : 'text-fg-2'}`}>
            {error || note.ok === false ? <TriangleAlert size={14} strokeWidth={1.75} className="shrink-0" aria-hidden="true" /> : null}
            {!error && note.ok ? <Check size={14} strokeWidth={2} className="shrink-0 text-success" aria-hidden="true" /> : null}
            {error ?? note.text}
          </p>
          {tick ? (
            <label className="flex min-h-8 cursor-pointer items-center gap-2 font-medium mobile:min-h-11">
              <input type="checkbox" className="size-4 accent-brand" checked={tick.on} onChange={(event) => tick.set(event.target.checked)} />
              {t(tick.on ? 'confirmed' : 'confirm')}
            </label>
          ) : null}
        </div>
      </div>
    </div>
  )
}

/** Underlines the doubtful characters of a reading with a wave, behind the field that shows the same text. */
function DoubtUnderline({ field, value, tall = false }: { readonly field: FieldReading | undefined; readonly value: string; readonly tall?: boolean }) {
  if (!field || field.value !== value || !field.doubtful.length) return null
  const pieces: ReactNode[] = []
  let at = 0
  for (const [from, to] of field.doubtful) {
    pieces.push(value.slice(at, from))
    pieces.push(
      <span key={from} className="underline decoration-warning decoration-wavy decoration-from-font underline-offset-4">
        {value.slice(from, to)}
      </span>,
    )
    at = to
  }
  pieces.push(value.slice(at))
  return (
    <div
      aria-hidden="true"
      className={`input pointer-events-none absolute inset-0 border-transparent bg-transparent text-transparent mobile:!text-[16px] mobile:!leading-[22px] ${tall ? 'h-auto py-2 whitespace-pre-wrap' : 'flex items-center overflow-hidden whitespace-pre'}`}
    >
      <span>{pieces}</span>
    </div>
  )
}

const PROOF_TEXT = { checkDigit: 'proof_checkDigit', likeNumber: 'proof_likeNumber', twice: 'proof_twice', read: 'proof_read' } as const
const DOUBT_TEXT = {
  check: 'doubt_check',
  glare: 'doubt_glare',
  shadow: 'doubt_shadow',
  blur: 'doubt_blur',
  cut: 'doubt_cut',
  unlike: 'doubt_unlike',
  unread: 'doubt_unread',
} as const

interface RowsProps {
  readonly flow: OpeningFlow
  readonly form: PapersForm
  readonly wrong: readonly CheckRowName[]
  readonly needsEmail: boolean
  readonly onFocus: (row: CheckRowName) => void
  readonly label: (row: CheckRowName) => string
}

/** All fields of the document, and those that it does not contain. Enter moves to the next field. */
export function CheckRows({ flow, form, wrong, needsEmail, onFocus, label }: RowsProps) {
  const t = useTexts(openingTexts)
  const pictures = { idFront: usePicture(flow.files.idFront), idBack: usePicture(flow.files.idBack), passport: usePicture(flow.files.passport) }
  const { values, confirmed, tick } = form
  const isPassport = parsePaper(values) === 'passport'
  const rows = CHECK_ROWS.filter((row) => (row !== 'email' || needsEmail) && (row !== 'issuer' || !isPassport))
  const next = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement) || event.target.type === 'checkbox') return
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('input:not([type=checkbox]), textarea')]
    all[all.indexOf(event.target) + 1]?.focus()
  }
  return (
    <div onKeyDown={next} className="border-b border-line">
      {rows.map((row) => {
        const field = findRowReading(flow, row)
        const side = flow.readings.find(({ fields }) => field && fields.includes(field))?.purpose
        const file = side && side !== 'photo' && side !== 'evidence' ? flow.files[side] : undefined
        const src = side === 'idFront' || side === 'idBack' || side === 'passport' ? pictures[side] : undefined
        const asked = needsConfirmation(field, row, values)
        const error = wrong.includes(row) ? t(isEmpty(row, values) ? 'required' : 'wrongFormat') : undefined
        const origin = row === 'latin' ? t('fromName') : row === 'place' ? t('fromAddress') : row === 'email' ? t('emailAbout') : undefined
        return (
          <CheckRow
            key={row}
            id={row}
            label={row === 'place' ? t('field_postalCode') : label(row)}
            field={field}
            picture={file ? { src, width: file.width, height: file.height } : undefined}
            {...(origin ? { origin } : {})}
            tall={row === 'address'}
            note={buildNote(row, field, { edited: isEditedRow(field, row, values), t })}
            error={error}
            tick={asked && field ? { on: confirmed.has(field.name), set: (on) => tick(field.name, on) } : undefined}
            onFocus={() => onFocus(row)}
          >
            <Inputs row={row} form={form} field={field} label={label(row)} error={error} />
          </CheckRow>
        )
      })}
    </div>
  )
}

const isEmpty = (row: CheckRowName, values: PapersForm['values']) =>
  row === 'latin' ? !values['lastName'] || !values['firstName'] : row === 'place' ? !values['postalCode'] : !values[row]

type TranslateOpening = ReturnType<typeof useTexts<TextKeyOf<typeof openingTexts>>>

function buildNote(
  row: CheckRowName,
  field: FieldReading | undefined,
  { edited, t }: { readonly edited: boolean; readonly t: TranslateOpening },
): { ok: boolean | undefined; text: string } {
  if (row === 'latin' && !field) return { ok: undefined, text: t('latin_note') }
  if (row === 'place') return { ok: undefined, text: t('postal_note') }
  if (!field) return { ok: undefined, text: t('typed') }
  if (edited) return { ok: false, text: t('proof_edited') }
  if (field.sure) return { ok: true, text: t(row === 'chineseName' ? 'proof_name' : PROOF_TEXT[field.proof ?? 'read']) }
  const count = field.doubtful.reduce((sum, [from, to]) => sum + to - from, 0)
  return { ok: false, text: t(DOUBT_TEXT[field.value ? (field.reason ?? 'blur') : 'unread'], { count: Math.max(1, count) }) }
}

function Inputs({
  row,
  form,
  field,
  label,
  error,
}: {
  readonly row: CheckRowName
  readonly form: PapersForm
  readonly field: FieldReading | undefined
  readonly label: string
  readonly error: string | undefined
}) {
  const t = useTexts(openingTexts)
  const { values, set } = form
  const at = (name: string) => values[name] ?? ''
  const shared = { 'aria-describedby': `note-${row}`, 'aria-invalid': error ? true : undefined, 'autoComplete': 'off' } as const
  const clears = field?.name
  const one = (name: string, text: string, { more = '', mode }: { readonly more?: string; readonly mode?: 'numeric' | 'email' } = {}) => (
    <input
      {...shared}
      aria-label={text}
      placeholder={text === label ? undefined : text}
      value={at(name)}
      inputMode={mode}
      onChange={(event) => set({ [name]: event.target.value }, clears)}
      className={`input min-w-0 ${more}`}
      spellCheck={false}
    />
  )
  if (row === 'latin')
    return (
      <div className="grid grid-cols-2 gap-2">
        {one('lastName', t('field_lastName'), { more: 'num uppercase' })}
        {one('firstName', t('field_firstName'), { more: 'num uppercase' })}
      </div>
    )
  if (row === 'place')
    return (
      <div className="grid grid-cols-3 gap-2">
        {one('postalCode', t('field_postalCode'), { more: 'num', mode: 'numeric' })}
        {one('province', t('field_province'))}
        {one('city', t('field_city'))}
      </div>
    )
  if (row === 'address')
    return (
      <div className="relative">
        <textarea
          {...shared}
          aria-label={label}
          rows={3}
          value={at('address')}
          onChange={(event) => set({ address: event.target.value }, clears)}
          className="input h-auto min-h-[84px] resize-none bg-surface py-2"
          spellCheck={false}
        />
        <DoubtUnderline field={field} value={at('address')} tall />
      </div>
    )
  if (row === 'validUntil' && at('validUntil') === 'forever')
    return <input {...shared} aria-label={label} value={t('forever')} readOnly className="input min-w-0" />
  const figures = row === 'number' || row === 'birthDate' || row === 'validUntil'
  return (
    <div className="relative">
      {one(row, label, { more: figures ? 'num' : '', mode: row === 'email' ? 'email' : undefined })}
      <DoubtUnderline field={field} value={at(row)} />
    </div>
  )
}
