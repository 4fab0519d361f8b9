import { lazy, Suspense } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { ReceiptRow, ReceiptRule, Receipt } from '#ui/receipt.tsx'
import { displayTime } from '#platform/web/time.tsx'
import type { CommandEffects } from '../../../words.ts'
import { useOperatorName } from '../operators.ts'
import { useConsoleFormatter } from '../format.ts'
import { kitTexts } from '../texts.ts'
import { listMovedFigures } from './moved-figures.ts'

type FigureValue = string | number | boolean | null
const LONG = 40

/** Parses two long JSON values so that the page can show a diff; undefined if they are short or plain values. */
function parseJsonPair(before: FigureValue, after: FigureValue): { readonly before: unknown; readonly after: unknown } | undefined {
  const [old, fresh] = [parseFigure(before), parseFigure(after)]
  const isLong = String(before).length > LONG || String(after).length > LONG
  return isLong && (isTree(old) || isTree(fresh)) ? { before: old, after: fresh } : undefined
}

const isTree = (value: unknown) => typeof value === 'object' && value !== null
function parseFigure(fact: FigureValue): unknown {
  if (typeof fact !== 'string') return fact
  try {
    return JSON.parse(fact) as unknown
  } catch {
    return fact
  }
}

/** Rules in words are a separate bundle: few previews show nested values. */
const JsonChange = lazy(() => import('./json-change.tsx').then((module) => ({ default: module.JsonChange })))

interface ReceiptProps {
  readonly shown: CommandEffects
  readonly at: number
  /** Titles it "after approval" instead of "after running". */
  readonly approving?: boolean
  /** Preview that another operator saw; changed figures are marked. */
  readonly before?: CommandEffects | undefined
  /** Figures whose changes are not marked. */
  readonly loose?: readonly string[]
  readonly note?: string | undefined
}

const MAX_UNCHANGED_ROWS = 6

/** A preview as a receipt: each figure before and after, the mails it sends, and the result. */
export function PreviewReceipt({ shown, at, approving, before, loose, note }: ReceiptProps) {
  const t = useTexts(kitTexts)
  const say = useConsoleFormatter()
  const nameOf = useOperatorName()
  const words = (fact: CommandEffects['changes'][number]['after'], name: string) =>
    typeof fact === 'string' && fact.startsWith('opr_') ? nameOf(fact) : say.value(fact, name)
  const moved = new Set(before ? listMovedFigures(before, shown, loose) : [])
  const mails = Object.entries(shown.mails)
  const still = shown.changes.filter((one) => one.before === one.after)
  // A dozen unchanged figures would hide the one that changes
  const listed =
    still.length > MAX_UNCHANGED_ROWS && still.length < shown.changes.length ? shown.changes.filter((one) => one.before !== one.after) : shown.changes
  const known = new Map(shown.changes.map(({ name, after }) => [name, after]))
  const results = Object.entries(shown.result).filter(([name, value]) => value !== null && value !== '' && known.get(name) !== value)
  const written = Object.values(shown.rows).reduce((sum, n) => sum + n, 0)
  return (
    <Receipt look="inline" label={t(approving ? 'afterApproval' : 'afterRunning')}>
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="text-14 font-bold">{t(approving ? 'afterApproval' : 'afterRunning')}</h3>
        <p className="text-12 text-fg-3 tabular">{note ?? t('computedAt', { at: displayTime(at, 'second').slice(11) })}</p>
      </div>
      <ReceiptRule className="my-2" />
      {shown.changes.length ? <Changes listed={listed} moved={moved} words={words} /> : <p className="text-13 text-fg-3">{t('noFigures')}</p>}
      {listed.length < shown.changes.length ? <p className="mt-1 text-12 text-fg-3">{t('figuresStay', { n: still.length })}</p> : null}
      {results.length ? (
        <>
          <ReceiptRule className="my-2" />
          {results.map(([name, value]) => (
            <ReceiptRow
              key={name}
              className="py-0.5! text-13"
              label={<span className="text-13">{say.fact(name)}</span>}
              value={<span className="text-13">{words(value, name)}</span>}
            />
          ))}
        </>
      ) : null}
      <p className="receipt-note mt-2 text-12">
        {[
          ...(mails.length
            ? [t('sendsMails', { n: mails.reduce((sum, [, n]) => sum + n, 0), what: mails.map(([name]) => say.action(name)).join(t('comma')) })]
            : [t('sendsNoMail')]),
          t('writesRows', { n: written }),
        ].join(t('stopMark'))}
      </p>
    </Receipt>
  )
}

interface ChangesProps {
  readonly listed: CommandEffects['changes']
  readonly moved: ReadonlySet<string>
  readonly words: (fact: CommandEffects['changes'][number]['after'], name: string) => string
}

/** Before and after values of each figure. */
function Changes({ listed, moved, words }: ChangesProps) {
  const t = useTexts(kitTexts)
  const say = useConsoleFormatter()
  return (
    <table className="w-full text-13 tabular">
      <thead>
        <tr className="text-12 text-fg-3">
          <th className="py-0.5 text-left font-normal">
            <span className="sr-only">{t('figure')}</span>
          </th>
          <th className="py-0.5 pl-3 text-right font-normal whitespace-nowrap">{t('now')}</th>
          <th className="py-0.5 pl-3 text-right font-normal whitespace-nowrap">{t('then')}</th>
        </tr>
      </thead>
      <tbody>
        {listed.map(({ name, before: was, after }) => {
          const same = was === after
          const whole = same ? undefined : parseJsonPair(was, after)
          if (whole)
            return (
              <tr key={name} className="align-baseline">
                <th scope="row" className="py-0.5 pr-3 text-left font-normal">
                  {say.fact(name)}
                </th>
                <td colSpan={2} className="py-0.5 text-left whitespace-normal">
                  <Suspense>
                    <JsonChange {...whole} />
                  </Suspense>
                </td>
              </tr>
            )
          return (
            <tr key={name} className={`align-baseline ${same ? 'text-fg-3' : ''}`}>
              <th scope="row" className="min-w-[5em] py-0.5 text-left font-normal">
                {say.fact(name)}
                {moved.has(name) ? <span className="ml-1.5 text-12 font-semibold text-warning">{t('moved')}</span> : null}
              </th>
              <td className="py-0.5 pl-3 text-right">{words(was, name)}</td>
              <td className={`min-w-[4em] py-0.5 pl-3 text-right ${same ? '' : 'font-semibold'}`}>{same ? t('same') : words(after, name)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
