import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { ConsolePageHead } from '../kit/page.tsx'
import { ModelRows, formatBasisPoints } from './price-rows.tsx'
import { modelsApi, usePriceDraft } from './use-draft.ts'
import type { PriceDraft } from './use-draft.ts'
import { modelTexts } from './texts.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { CommandNotice } from '../kit/command/command-body.tsx'
import { openCommand } from '../kit/command/command-store.ts'

/** Summary of the price draft: effect, start time, title, and the button that requests approval. */
function PriceDraftSide({ draft }: { readonly draft: PriceDraft }) {
  const t = useTexts(modelTexts)
  const [title, setTitle] = useState('')
  const [knows, setKnows] = useState(false)
  const { tried, count } = draft
  const losing = tried?.rows.filter(({ belowCost }) => belowCost).map(({ model }) => model) ?? []
  const lacks = !count
    ? t('lacksChange')
    : !title.trim()
      ? t('lacksTitle')
      : !draft.from
        ? t('lacksTime')
        : losing.length && !knows
          ? t('lacksTick')
          : undefined
  const submit = () =>
    openCommand({
      name: 'price.plan',
      input: { title: title.trim(), from: draft.from, changes: draft.changes, acceptLoss: knows },
      about: t('planAbout', { n: count, title: title.trim() }),
      label: () => t('planDo', { n: count }),
      onDone: () => {
        draft.clear()
        setTitle('')
        setKnows(false)
      },
    })
  return (
    <aside
      className="grid min-h-full content-start gap-4 border-l border-line bg-bg p-5 mobile:border-t mobile:border-l-0 mobile:p-4"
      aria-label={t('effectTitle')}
    >
      <Receipt look="inline" label={t('effectTitle')}>
        <h2 className="text-14 font-bold">{t('effectTitle')}</h2>
        <ReceiptRule className="my-2" />
        {tried ? <Effect total={tried.total} /> : <p className="text-13 text-fg-2">{t('effectNone')}</p>}
      </Receipt>
      <TextField
        label={t('fromLabel')}
        type="datetime-local"
        value={draft.at}
        onChange={(event) => draft.setAt(event.target.value)}
        hint={draft.from ? t('fromUtc', { at: draft.from.slice(5, 16).replace('T', ' ') }) : undefined}
      />
      <TextField
        label={t('titleLabel')}
        maxLength={80}
        value={title}
        placeholder={t('titleExample')}
        autoComplete="off"
        onChange={(event) => setTitle(event.target.value)}
      />
      {losing.length ? (
        <CommandNotice tone="danger" title={t('belowTitle', { models: losing.join(' · ') })}>
          <CheckboxField label={t('belowTick')} checked={knows} onChange={(event) => setKnows(event.target.checked)} />
        </CommandNotice>
      ) : null}
      <div className="grid grid-cols-1 gap-1.5">
        <p className="text-13 text-fg-2">{t('whoDecides')}</p>
        <Button size="lg" disabled={lacks !== undefined} onClick={submit}>
          {t('submitPlan')}
        </Button>
        {lacks ? <p className="text-13 text-warning">{lacks}</p> : null}
      </div>
    </aside>
  )
}

type Total = NonNullable<PriceDraft['tried']>['total']

function Effect({ total }: { readonly total: Total }) {
  const t = useTexts(modelTexts)
  const rows: readonly (readonly [string, string, string])[] = [
    [t('sumIncome'), displayUsd(total.amountNow), displayUsd(total.amountThen)],
    [t('sumCost'), displayUsd(total.costs), displayUsd(total.costs)],
    [t('sumMargin'), displayUsd(total.marginNow), displayUsd(total.marginThen)],
    [t('sumRate'), formatBasisPoints(total.rateNow), formatBasisPoints(total.rateThen)],
  ]
  return (
    <>
      <table className="w-full text-13">
        <thead>
          <tr className="text-12 text-fg-3">
            <th className="text-left font-normal">
              <span className="sr-only">{t('figure')}</span>
            </th>
            <th className="text-right font-normal">{t('now')}</th>
            <th className="text-right font-normal">{t('then')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, now, then]) => (
            <tr key={name} className={now === then ? 'text-fg-3' : ''}>
              <th scope="row" className="py-0.5 text-left font-normal">
                {name}
              </th>
              <td className="num text-right">{now}</td>
              <td className={`text-right ${now === then ? '' : 'num font-semibold'}`}>{now === then ? t('same') : then}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ReceiptRule className="my-2" />
      <ReceiptRow label={t('hitCustomers')} value={t('customersN', { n: total.customers })} />
      <ReceiptRow label={t('sumDifference')} value={displayUsd(total.difference, 2, true)} strong />
      <p className="mt-1 text-12 text-fg-3">{t('howReckoned')}</p>
    </>
  )
}

const formatPlanTime = (from: string) => displayTime(from, 'minute')

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
