import type { ReplyOf } from '#platform/shared/contract.ts'
import type { Figure } from '#platform/shared/figures.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { MoneyText } from '#ui/money-text.tsx'
import { Leader } from '#ui/receipt.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import type { fundsContract } from '#features/wallet/contract-funds.ts'
import { CATEGORY_TEXTS, movementTexts } from '#features/wallet/contract-movements.ts'
import type { FundsCategory } from '#features/wallet/contract-movements.ts'
import { fundsTexts } from '../../texts-funds.ts'

type Page = ReplyOf<typeof fundsContract.funds>
interface Term {
  readonly category: FundsCategory
  readonly sign: '+' | '−'
  readonly figure: Figure
}
const TERMS: readonly Term[] = [
  { category: 'topup', sign: '+', figure: FIGURES['funds.topup'] },
  { category: 'refund', sign: '+', figure: FIGURES['funds.refund'] },
  { category: 'reward', sign: '+', figure: FIGURES['funds.reward'] },
  { category: 'spend', sign: '−', figure: FIGURES['funds.spend'] },
  { category: 'card', sign: '−', figure: FIGURES['funds.card'] },
  { category: 'withdraw', sign: '−', figure: FIGURES['funds.withdraw'] },
]

/** Opening balance + incoming − outgoing = balance: the eight exact figures of the month. */
export function MonthTotals({ page }: { readonly page: Page | undefined }) {
  const t = useTexts(fundsTexts)
  const mobile = useIsMobile()
  return (
    <section aria-label={t('funds_totals')} className="card mb-4 p-5 mobile:p-4" aria-busy={page === undefined}>
      {mobile ? <Slip page={page} /> : <Equation page={page} />}
    </section>
  )
}

function useTermNotes(page: Page | undefined): (category: FundsCategory) => string {
  const t = useTexts(fundsTexts)
  if (!page) return () => ''
  return (category) => {
    if (category === 'spend' && page.spent.api !== '0' && page.spent.other !== '0') return t('funds_spent_parts', page.spent)
    const count = page.counts[category]
    return count ? t('funds_count', { count }) : t('funds_none')
  }
}

function Equation({ page }: { readonly page: Page | undefined }) {
  const t = useTexts(fundsTexts)
  const lang = useLang()
  const noteOf = useTermNotes(page)
  const end = page?.isCurrent ?? true
  return (
    <dl className="grid grid-cols-2 items-start gap-x-5 gap-y-4 min-[900px]:grid-cols-4 min-[1400px]:flex min-[1400px]:flex-wrap min-[1400px]:justify-between">
      <Cell label={t('funds_opening')} note={page ? `${page.month.slice(5)}-01 00:00` : ''} value={page?.totals.opening} figure={FIGURES['funds.opening']} />
      {TERMS.map(({ category, sign, figure }) => (
        <Cell
          key={category}
          sign={sign}
          label={movementTexts[lang][CATEGORY_TEXTS[category]]}
          note={noteOf(category)}
          value={page?.totals[category]}
          figure={figure}
        />
      ))}
      <Cell
        strong
        sign="="
        label={t(end ? 'funds_now' : 'funds_closing')}
        note={page && end ? displayTime(page.asOf).slice(5) : ''}
        value={page?.totals.closing}
        figure={FIGURES['funds.closing']}
      />
    </dl>
  )
}

interface CellProps {
  readonly label: string
  readonly note: string
  readonly value: string | undefined
  readonly figure: Figure
  readonly sign?: '+' | '−' | '='
  readonly strong?: boolean
}

function Cell({ label, note, value, figure, sign, strong = false }: CellProps) {
  return (
    <div className={`relative ${sign ? 'pl-7' : ''}`}>
      <dt className="text-13 text-fg-2">
        {sign ? (
          <span className="num absolute top-6 left-0 text-14 text-fg-3" aria-hidden="true">
            {sign}
          </span>
        ) : null}
        {label}
      </dt>
      <dd>
        <p className={`num min-h-6 font-semibold ${strong ? 'text-20' : 'text-16'} ${value === '0' ? 'text-fg-3' : ''}`}>
          {value === undefined ? <Skeleton className="h-5 w-20" /> : <MoneyText value={value} figure={figure} />}
        </p>
        <p className="min-h-5 text-12 text-fg-3">{note}</p>
      </dd>
    </div>
  )
}

/** On a phone, a list with dot leaders. */
function Slip({ page }: { readonly page: Page | undefined }) {
  const t = useTexts(fundsTexts)
  const lang = useLang()
  const line = (label: string, value: string | undefined, { figure, sign = '' }: { readonly figure: Figure; readonly sign?: string }) => (
    <div key={label} className="receipt-row min-h-7 text-14">
      <dt className="flex flex-1 items-baseline gap-2">
        {sign ? <span className="num inline-block w-3 text-fg-3">{sign}</span> : null}
        {label}
        <Leader />
      </dt>
      <dd className={`num font-medium ${value === '0' ? 'text-fg-3' : ''}`}>
        {value === undefined ? <Skeleton className="h-4 w-20" /> : <MoneyText value={value} figure={figure} />}
      </dd>
    </div>
  )
  return (
    <dl>
      {line(t('funds_opening'), page?.totals.opening, { figure: FIGURES['funds.opening'] })}
      {TERMS.map(({ category, sign, figure }) => line(movementTexts[lang][CATEGORY_TEXTS[category]], page?.totals[category], { figure, sign }))}
      <div className="mt-2 flex items-baseline justify-between gap-3 border-t border-dashed border-line pt-2 text-16 font-bold">
        <dt>= {t((page?.isCurrent ?? true) ? 'funds_now' : 'funds_closing')}</dt>
        <dd className="text-20">
          {page === undefined ? <Skeleton className="h-6 w-24" /> : <MoneyText value={page.totals.closing} figure={FIGURES['funds.closing']} />}
        </dd>
      </div>
    </dl>
  )
}
