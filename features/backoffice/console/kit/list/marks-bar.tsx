import { X } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { CommandButton } from '../command/command-button.tsx'
import { kitTexts } from '../texts.ts'
import type { RowMarks } from './use-marks.ts'

/** Above a list's foot while rows are marked: how many, and what can be done with all of them. */
export function MarksBar<R>({ marks: { acts, marked, clear } }: { readonly marks: RowMarks<R> }) {
  const t = useTexts(kitTexts)
  if (!marked.length) return null
  return (
    <div
      role="group"
      aria-label={t('markedN', { n: marked.length })}
      className="flex min-h-12 flex-wrap items-center gap-2 border-t border-line bg-brand-soft px-5 py-2 text-13"
    >
      <strong className="tabular font-semibold">{t('markedN', { n: marked.length })}</strong>
      <button type="button" className="icon-btn" aria-label={t('unmark')} title={t('unmark')} onClick={clear}>
        <X size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <span className="flex-1" />
      {acts.map(({ command, input }) => {
        const rows = marked.flatMap((row) => input(row) ?? [])
        return rows.length ? (
          <CommandButton key={command} name={`${command}-many`} input={{ rows }} about={t('ofMarkedN', { n: rows.length })} onDone={clear} />
        ) : null
      })}
    </div>
  )
}
