import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { ConsolePanel } from '../kit/page.tsx'
import { useHasPermission } from '../kit/use-me.ts'
import { modelsApi } from '../prices/use-draft.ts'
import type { Customer } from './customer.ts'
import { termsTexts } from './texts.ts'

const STATE_TEXT = { cancelled: 'state_cancelled', holds: 'state_holds', planned: 'state_planned', over: 'state_over' } as const

const TermsForm = lazy(() => import('./terms-form.tsx').then((module) => ({ default: module.TermsForm })))
const TONES = { holds: 'success', planned: 'info', over: 'neutral', cancelled: 'neutral' } as const

/** Prices negotiated with a customer: current, planned (can be cancelled) and past. */
export function PriceTerms({ customer: { userId, name } }: { readonly customer: Customer }) {
  const t = useTexts(termsTexts)
  const may = useHasPermission()
  const nameOf = useOperatorName()
  const [isAdding, setAdding] = useState(false)
  const [isPast, setPast] = useState(false)
  const read = useQuery({ queryKey: ['customer-terms', userId], queryFn: ({ signal }) => modelsApi.customerTerms({ userId }, { signal }) })
  const rows = read.data?.rows ?? []
  const live = rows.filter(({ state }) => state === 'holds' || state === 'planned')
  const about = name || userId
  return (
    <ConsolePanel title={t('title')}>
      {read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : null}
      {read.isPending ? <SkeletonRows rows={2} /> : null}
      {read.data && !live.length ? <p className="py-1 text-13 text-fg-3">{t('none')}</p> : null}
      <ul className="divide-y divide-line">
        {(isPast ? rows : live).map((row) => (
          <li key={row.id} className="py-2 text-13">
            <p className="flex flex-wrap items-center gap-x-2">
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{row.model ?? t('allModels')}</span>
              <span className="num font-semibold">{row.percent}%</span>
              <Badge tone={TONES[row.state]}>{t(STATE_TEXT[row.state])}</Badge>
            </p>
            <p className="text-12 text-fg-3 [overflow-wrap:anywhere]">{t('line', { title: row.title, at: displayTime(row.from), name: nameOf(row.madeBy) })}</p>
            {row.state === 'planned' ? (
              <CommandButton name="price.terms-cancel" input={{ user: userId, title: row.title }} about={about} word={t('cancel')} />
            ) : null}
          </li>
        ))}
      </ul>
      <div className="mt-1 flex flex-wrap gap-x-4 text-13">
        {may('prices.change') && read.data ? (
          <button type="button" className="link" onClick={() => setAdding(true)}>
            {t('add')}
          </button>
        ) : null}
        {rows.length > live.length ? (
          <button type="button" className="link" aria-expanded={isPast} onClick={() => setPast((old) => !old)}>
            {t('past')}
          </button>
        ) : null}
      </div>
      {isAdding && read.data ? (
        <Suspense fallback={null}>
          <TermsForm user={userId} about={about} noticeDays={read.data.noticeDays} onClose={() => setAdding(false)} onDone={() => void read.refetch()} />
        </Suspense>
      ) : null}
    </ConsolePanel>
  )
}
