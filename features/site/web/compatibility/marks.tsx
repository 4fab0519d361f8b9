import { useTexts } from '#platform/web/i18n.ts'
import { getVendorColor } from '#features/gateway/web/door.ts'
import { Dot } from '#ui/dot.tsx'
import { compatTexts } from '../../compat-texts.ts'
import { TESTED } from './last-run.ts'
import type { Cell, TestedClient } from './results.ts'

/**
 * Mark of a result: a vendor's dot if it passed, a ring if it does not apply, a cross if it failed, so that it never relies on colour
 * alone.
 */
export function ResultMark({ vendor, cell }: { readonly vendor: string; readonly cell: Cell | undefined }) {
  if (cell === 'pass') return <Dot color={getVendorColor(vendor)} />
  if (cell === 'fail')
    return (
      <span className="inline-flex size-2 items-center justify-center text-14 leading-none font-semibold text-danger" aria-hidden="true">
        ×
      </span>
    )
  return <span className="inline-block size-2 rounded-full border border-control" aria-hidden="true" />
}

/** One client's result in one feature, for models of each vendor. */
export function ResultMarks({ client, feature }: { readonly client: TestedClient; readonly feature: string }) {
  const t = useTexts(compatTexts)
  const words = TESTED.map(({ id, label }) => {
    const cell = client.cells[id]?.[feature]
    return `${t('models_of', { vendor: label })} ${t(cell === 'pass' || cell === 'fail' ? cell : 'na')}`
  })
  return (
    <span className="inline-flex items-center gap-1.5">
      {TESTED.map(({ id }) => (
        <ResultMark key={id} vendor={id} cell={client.cells[id]?.[feature]} />
      ))}
      <span className="sr-only">{words.join(', ')}</span>
    </span>
  )
}
