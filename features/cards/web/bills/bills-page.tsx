import { Link, useNavigate } from '@tanstack/react-router'
import { Download, FileText } from 'lucide-react'
import { lazy, Suspense, useState, useEffect } from 'react'
import { useTexts, useLang } from '#platform/web/i18n.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { useTitle } from '#platform/web/title.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { SkeletonRows, Skeleton } from '#ui/skeleton.tsx'
import { billTexts } from '../../texts-bills.ts'
import { billsApi } from '../cards-api.ts'
import { OfflineLine } from '../offline-line.tsx'
import { useCards } from '../use-cards.ts'
import { BillList } from './bill-list.tsx'
import { BillSheet } from './bill-sheet.tsx'
import { useBillFilters, ANY_FILTER } from './use-bill-filters.ts'
import type { BillFilterState as Filters } from './use-bill-filters.ts'
import { useBills, useBillTotals } from './use-bills.ts'
import type { BillTotals } from './use-bills.ts'
import { useSaveFile } from './use-save.ts'
import { Usd } from '#platform/web/money.tsx'
import { parseUsd } from '#platform/shared/money.ts'
import { stripMinusSign } from './bill-words.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { PickField } from '#ui/fields/pick-field.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { formatBillTitle } from '../../bill-titles.ts'
import type { CardRow } from '../../contract.ts'
import { BILL_STATES } from '../../words.ts'
import type { BillKind } from '../../words.ts'
import { CARDS_STATUS_TEXT } from '../../state-texts-bills.ts'

const SHORT_TEXT = { standard: 'short_standard', pro: 'short_pro' } as const

/** Kinds offered as filters; rarer kinds are found by name. */
const KINDS: readonly BillKind[] = ['purchase', 'refund', 'recharge', 'withdrawal', 'verification', 'activation', 'dispute_credit', 'settled_debt', 'returned']
const DEBOUNCE_MS = 300

interface BillFiltersProps {
  readonly filters: Filters
  readonly cards: readonly CardRow[]
}

/** Bill filters: the state as a row of choices, then the others, which a phone folds away. */
function BillFilters({ filters, cards }: BillFiltersProps) {
  const t = useTexts(billTexts)
  const mobile = useIsMobile()
  const [isNarrowed] = useState(() => Object.keys(filters.wish).some((name) => name !== 'state'))
  return (
    <div className="mb-4 grid gap-3">
      <Segmented
        label={t('filter_state')}
        value={filters.state}
        onChange={filters.setState}
        className="justify-self-start"
        items={[{ value: ANY_FILTER, label: t('all') }, ...BILL_STATES.map((value) => ({ value: value as string, label: t(CARDS_STATUS_TEXT[value]) }))]}
      />
      {mobile ? (
        <details className="fold" open={isNarrowed}>
          <summary>{t('moreFilters')}</summary>
          <div className="pb-1">
            <More filters={filters} cards={cards} />
          </div>
        </details>
      ) : (
        <More filters={filters} cards={cards} />
      )}
    </div>
  )
}

function More({ filters, cards }: BillFiltersProps) {
  const t = useTexts(billTexts)
  const lang = useLang()
  const [typed, setTyped] = useState(filters.merchant)
  const { merchant, setMerchant } = filters
  useEffect(() => {
    if (typed === merchant) return
    const timer = setTimeout(() => setMerchant(typed), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed, merchant, setMerchant])
  return (
    <div className="grid gap-3 mobile:grid-cols-2 desktop:grid-cols-[repeat(auto-fit,minmax(150px,1fr))]">
      {cards.length > 1 ? (
        <PickField
          label={t('col_card')}
          value={filters.card}
          onChange={filters.setCard}
          options={[
            { value: ANY_FILTER, label: t('allCards') },
            ...cards.filter(({ last4 }) => last4).map(({ id, last4, type }) => ({ value: id, label: `${t(SHORT_TEXT[type])} ${last4}` })),
          ]}
        />
      ) : null}
      <PickField
        label={t('filter_kind')}
        value={filters.kind}
        onChange={filters.setKind}
        options={[{ value: ANY_FILTER, label: t('allKinds') }, ...KINDS.map((value) => ({ value: value as string, label: formatBillTitle(lang, value) }))]}
      />
      <TextField
        label={t('filter_from')}
        type="date"
        value={filters.from}
        max={filters.to || undefined}
        onChange={(event) => filters.setFrom(event.target.value)}
      />
      <TextField
        label={t('filter_to')}
        type="date"
        value={filters.to}
        min={filters.from || undefined}
        error={filters.isBackwards ? t('range_bad') : undefined}
        onChange={(event) => filters.setTo(event.target.value)}
      />
      <TextField
        label={t('filter_merchant')}
        type="search"
        maxLength={60}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        fieldClassName={cards.length > 1 ? 'mobile:col-span-2' : ''}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  )
}

const SUM_TEXT = { recharged: 'sum_recharged', withdrawn: 'sum_withdrawn', spent: 'sum_spent', refunded: 'sum_refunded', fees: 'sum_fees' } as const

const LINES = [
  ['recharged', '+'],
  ['spent', '−'],
  ['refunded', '+'],
  ['withdrawn', '−'],
  ['fees', '−'],
] as const

/** Totals of exactly the rows below, whatever the filter: incoming, outgoing, net. */
function BillSums({ totals }: { readonly totals: BillTotals | undefined }) {
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

const PapersDialog = lazy(() => import('./papers-dialog.tsx').then((m) => ({ default: m.PapersDialog })))
const MANY = 10

/** /bill: the bills of one card or of all, filtered by the URL, with the totals of its rows. */
export function BillsPage() {
  const t = useTexts(billTexts)
  useTitle(t('bills'))
  const [turn, setTurn] = useState(0)
  const [papers, setPapers] = useState(false)
  const [bill, setBill] = useQueryParam<string>('bill', '')
  const navigate = useNavigate()
  const filters = useBillFilters()
  const cards = useCards()
  const { wish } = filters
  const bills = useBills(wish)
  const totals = useBillTotals(wish)
  const { busy, save } = useSaveFile()
  const rows = bills.data?.pages.flatMap((page) => page.rowList) ?? []
  const isFiltered = Object.keys(wish).some((name) => name !== 'cardId') || (wish.cardId !== undefined && (cards.data?.length ?? 0) > 1)
  const clear = () => void navigate({ to: '/bill', search: {}, replace: true }).then(() => setTurn((now) => now + 1))
  return (
    <section aria-labelledby="bills-title">
      <div className="mb-5 flex min-h-10 flex-wrap items-center justify-between gap-3">
        <h1 id="bills-title" className="text-20 font-bold">
          {t('bills')}
        </h1>
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" onClick={() => setPapers(true)}>
            <FileText size={16} strokeWidth={1.75} aria-hidden="true" />
            {t('papers')}
          </Button>
          <Button
            variant="secondary"
            loading={busy === 'csv'}
            disabled={rows.length === 0}
            onClick={() => void save('csv', () => billsApi.transactionCsv(wish))}
          >
            <Download size={16} strokeWidth={1.75} aria-hidden="true" />
            {t('csv')}
          </Button>
        </div>
      </div>
      <OfflineLine at={bills.dataUpdatedAt} />
      <BillFilters key={turn} filters={filters} cards={cards.data ?? []} />
      {bills.isError && !rows.length ? (
        <ErrorState error={bills.error} title={t('billsFailed')} onRetry={() => void bills.refetch()} />
      ) : (
        <div aria-busy={bills.isFetching}>
          {totals.isError ? null : <BillSums totals={totals.data} />}
          <BillList
            caption={t('bills')}
            rows={rows}
            onOpen={setBill}
            withCard={wish.cardId === undefined && (cards.data?.length ?? 0) > 1}
            instead={bills.isPending ? <SkeletonRows rows={8} /> : rows.length ? undefined : <NoBills onClear={isFiltered ? clear : undefined} />}
          />
          {rows.length >= MANY || bills.hasNextPage ? (
            <ListEnd hasMore={bills.hasNextPage} loading={bills.isFetchingNextPage} onMore={() => void bills.fetchNextPage()} />
          ) : null}
        </div>
      )}
      <BillSheet id={bill} onClose={() => setBill('')} />
      {papers ? (
        <Suspense>
          <PapersDialog open onClose={() => setPapers(false)} />
        </Suspense>
      ) : null}
    </section>
  )
}

/** Empty state: no bills, or none that match the filters. */
function NoBills({ onClear }: { readonly onClear: (() => void) | undefined }) {
  const t = useTexts(billTexts)
  if (onClear)
    return (
      <EmptyState
        title={t('none')}
        body={t('noneAbout')}
        action={
          <Button variant="secondary" onClick={onClear}>
            {t('clear')}
          </Button>
        }
      />
    )
  return (
    <EmptyState
      title={t('empty')}
      body={t('emptyAbout')}
      action={
        <Link to="/card" className={getButtonClass('primary')}>
          {t('toCard')}
        </Link>
      }
    />
  )
}
