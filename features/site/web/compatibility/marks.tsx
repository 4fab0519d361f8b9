import { useTexts } from '#platform/web/i18n.ts'
import { VendorDot } from '#ui/vendor.tsx'
import { compatTexts } from '../../compat-texts.ts'
import { VENDORS } from './results.ts'
import type { Cell, TestedClient } from './results.ts'

/** A vendor's dot when it passed, a ring where it does not apply, a cross when it failed: never colour alone. */
export function Mark({ vendor, cell }: { readonly vendor: string; readonly cell: Cell | undefined }) {
  if (cell === 'pass') return <VendorDot vendor={vendor} />
  if (cell === 'fail')
    return (
      <span className="inline-flex size-2 items-center justify-center text-14 leading-none font-semibold text-danger" aria-hidden="true">
        ×
      </span>
    )
  return <span className="inline-block size-2 rounded-full border border-control" aria-hidden="true" />
}

/** One client's result in one feature, for models of each vendor. */
export function Marks({ client, feature }: { readonly client: TestedClient; readonly feature: string }) {
  const t = useTexts(compatTexts)
  const words = VENDORS.map((vendor) => {
    const cell = client.cells[vendor]?.[feature]
    return `${t(`vendor_${vendor}`)} ${t(cell === 'pass' || cell === 'fail' ? cell : 'na')}`
  })
  return (
    <span className="inline-flex items-center gap-1.5">
      {VENDORS.map((vendor) => (
        <Mark key={vendor} vendor={vendor} cell={client.cells[vendor]?.[feature]} />
      ))}
      <span className="sr-only">{words.join(', ')}</span>
    </span>
  )
}
