import { Check, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import type { FieldReading } from '#features/identity/contract-papers.ts'
import { PictureCrop } from './papers/crop.tsx'
import { openingTexts } from './texts.ts'

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

/** One line of the paper: its name, its pixels, what was read of them, what was tested. */
export function CheckRow({ id, label, field, picture, origin, tall = false, note, error, tick, onFocus, children }: CheckRowProps) {
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

/** The doubtful characters of what was read, underlined with a wave behind the field that shows the same text. */
export function DoubtUnderline({ field, value, tall = false }: { readonly field: FieldReading | undefined; readonly value: string; readonly tall?: boolean }) {
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
