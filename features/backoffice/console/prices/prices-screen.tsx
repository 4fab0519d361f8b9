import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { ConsolePageHead } from '../kit/page.tsx'
import { PriceDraftSide, formatPlanTime } from './draft-side.tsx'
import { ModelRows } from './price-rows.tsx'
import { modelsApi, usePriceDraft } from './use-draft.ts'
import { modelTexts } from './texts.ts'

/** The price book: current prices beside a draft, simulated on 30 days of usage and sent for approval. Prices in force are never edited. */
export function PricesScreen() {
  const t = useTexts(modelTexts)
  const draft = usePriceDraft()
  const [view, setView] = useState<'all' | 'changed'>('all')
  const [find, setFind] = useState('')
  const book = useQuery({ queryKey: ['prices'], queryFn: ({ signal }) => modelsApi.prices({}, { signal }) })
  const rows = book.data?.rows.filter(({ model, name }) => `${model} ${name}`.toLowerCase().includes(find.trim().toLowerCase())) ?? []
  return (
    <div className="flex h-full min-h-0 flex-col">
      <ConsolePageHead
        title={t('pricesTitle')}
        note={
          draft.count ? <Badge tone="warning">{t('draftNote', { n: draft.count })}</Badge> : book.data ? t('modelsN', { n: book.data.rows.length }) : undefined
        }
        about={t('pricesAbout')}
      />
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_336px] border-t border-line mobile:block mobile:overflow-y-auto">
        <div className="min-h-0 overflow-auto bg-surface" tabIndex={0} role="group" aria-label={t('pricesTitle')}>
          {book.data ? <Plans plans={book.data.plans} /> : null}
          <div className="flex flex-wrap items-center gap-3 px-5 py-3 mobile:px-4">
            <Segmented
              label={t('show')}
              value={view}
              onChange={setView}
              items={[
                { value: 'all', label: t('showAll'), count: book.data?.rows.length ?? 0 },
                { value: 'changed', label: t('showChanged'), count: draft.count },
              ]}
            />
            <input
              className="input w-56 mobile:w-full"
              type="search"
              placeholder={t('findModel')}
              aria-label={t('findModel')}
              value={find}
              onChange={(event) => setFind(event.target.value)}
            />
            <p className="ml-auto text-12 text-fg-3 mobile:ml-0">{t('perMillion')}</p>
          </div>
          {book.isError ? <ErrorState error={book.error} onRetry={() => void book.refetch()} /> : null}
          {book.isPending ? <SkeletonRows rows={12} /> : null}
          {book.data ? (
            view === 'changed' && !draft.count ? (
              <EmptyState title={t('nothingChanged')} body={t('nothingChangedBody')} />
            ) : (
              <table className="w-full border-collapse text-13 tabular">
                <caption className="sr-only">{t('pricesTitle')}</caption>
                <thead className="sticky top-0 z-10 bg-sunken text-12 text-fg-2">
                  <tr>
                    {(['colClass', 'colNow', 'colNew', 'colChange', 'colVendor', 'colMargin', 'colNewMargin', 'colUse'] as const).map((key, at) => (
                      <th
                        key={key}
                        scope="col"
                        className={`h-9 font-medium whitespace-nowrap ${at ? 'px-3 text-right' : 'px-5 text-left mobile:px-4'} ${at === 7 ? 'pr-5' : ''} ${at >= 4 ? 'mobile:hidden' : ''}`}
                      >
                        {t(key)}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <ModelRows key={row.model} row={row} draft={draft} onlyChanged={view === 'changed'} />
                  ))}
                </tbody>
              </table>
            )
          ) : null}
        </div>
        <div className="min-h-0 overflow-y-auto mobile:overflow-visible">
          <PriceDraftSide draft={draft} />
        </div>
      </div>
    </div>
  )
}

interface Plan {
  readonly title: string
  readonly byOperator: boolean
  readonly from: string
  readonly models: readonly string[]
}

/** Scheduled price changes; those made by operators can be cancelled until they start. */
function Plans({ plans }: { readonly plans: readonly Plan[] }) {
  const t = useTexts(modelTexts)
  if (!plans.length) return null
  return (
    <ul className="border-b border-line" aria-label={t('planned')}>
      {plans.map(({ title, byOperator, from, models }) => (
        <li key={title} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-5 py-2 first:border-0 mobile:px-4">
          <Badge tone="info">{t('scheduled')}</Badge>
          <strong className="font-semibold">{byOperator ? title : t('vendorNews')}</strong>
          <span className="text-fg-2">{t('planFrom', { at: formatPlanTime(from), n: models.length })}</span>
          <span className="num max-w-[60ch] truncate text-fg-3">{models.join(', ')}</span>
          <span className="ml-auto">{byOperator ? <CommandButton name="price.cancel" input={{ title }} about={title} word={t('cancelPlan')} /> : null}</span>
        </li>
      ))}
    </ul>
  )
}
