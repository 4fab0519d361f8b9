import { useTexts } from '#platform/web/i18n.ts'
import { Usd } from '#platform/web/money.tsx'
import { parseUsd } from '#platform/shared/money.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { billTexts } from '../../texts-bills.ts'
import { stripMinusSign } from './bill-words.ts'
import type { BillTotals } from './use-bills.ts'

const SUM_TEXT = { recharged: 'sum_recharged', withdrawn: 'sum_withdrawn', spent: 'sum_spent', refunded: 'sum_refunded', fees: 'sum_fees' } as const

const LINES = [
  ['recharged', '+'],
  ['spent', '−'],
  ['refunded', '+'],
  ['withdrawn', '−'],
  ['fees', '−'],
] as const

/** The sums of exactly the rows below, whatever the filter: what came, what went, and what it comes to. */
export function BillSums({ totals }: { readonly totals: BillTotals | undefined }) {
  const t = useTexts(billTexts)
  if (!totals) return <Skeleton className="mb-4 h-16 w-full" />
  return (
    <dl className="card mb-4 grid grid-cols-6 divide-x divide-line text-13 mobile:grid-cols-2 mobile:divide-x-0">
      {LINES.map(([name, sign]) => (
        <div key={name} className="px-4 py-3">
          <dt className="text-fg-3">{t(SUM_TEXT[name])}</dt>
          <dd className="num text-14 font-medium">
            {parseUsd(totals[name]) === 0n ? '' : sign}
            <Usd value={stripMinusSign(totals[name])} />
          </dd>
        </div>
      ))}
      <div className="px-4 py-3">
        <dt className="text-fg-3">{t('sum_net', { count: totals.count })}</dt>
        <dd className="text-14">
          <Usd value={totals.net} signed={parseUsd(totals.net) !== 0n} className="font-semibold" />
        </dd>
      </div>
    </dl>
  )
}
