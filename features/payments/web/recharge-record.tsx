import { Link } from '@tanstack/react-router'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { displayTime } from '#platform/web/time.tsx'
import { useOnline } from '#platform/web/online.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { toast } from '#ui/layers/toast.ts'
import { ListEnd } from '#ui/list-end.tsx'
import { MoneyText } from '#ui/money-text.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import { fundsTexts } from '../texts-funds.ts'
import { FundsFilterBar, MonthBar } from './funds/funds-bar.tsx'
import { MonthTotals } from './funds/month-totals.tsx'
import { MovementList } from './funds/movement-list.tsx'
import { MovementSheet } from './funds/movement-sheet.tsx'
import { Unfinished } from './funds/unfinished.tsx'
import { useFundsKeys } from './funds/use-funds-keys.ts'
import { shiftMonth, useFunds, useFundsFilter } from './funds/use-funds.ts'
import { PaymentsPageHead } from './page-head.tsx'

/** The tab 资金 of /api: the balance's ledger by month. Orders, withdrawals, receipts and invoices are its other views. */
export function RechargeRecord() {
  const t = useTexts(fundsTexts)
  const filter = useFundsFilter()
  const search = useRef<HTMLInputElement>(null)
  const list = useFunds(filter)
  const isOnline = useOnline()
  const page = list.data?.pages[0]
  const rows = useMemo(() => list.data?.pages.flatMap((one) => one.rowList) ?? [], [list.data])
  const [shown, setShown] = useQueryParam<string>('row', '')
  const [chosen, setChosen] = useState('')
  const { month, current, setMonth } = filter
  const firstMonth = page?.firstMonth
  const ids = useMemo(() => rows.map((row) => row.id), [rows])
  const copy = useCallback(
    (id: string) => {
      const number = rows.find((row) => row.id === id)?.orderNo
      if (number) void navigator.clipboard.writeText(number).then(() => toast.success(t('funds_copied')))
    },
    [rows, t],
  )
  const go = useCallback(
    (step: -1 | 1) => {
      const next = shiftMonth(month, step)
      if (next <= current && (firstMonth === undefined || next >= firstMonth)) setMonth(next)
    },
    [month, current, firstMonth, setMonth],
  )
  const focus = useCallback(() => search.current?.focus(), [])
  useFundsKeys({ ids, chosen, onChoose: setChosen, onCopy: copy, onMonth: go, onSearch: focus })
  const show = (id: string) => {
    setChosen(id)
    setShown(id)
  }
  return (
    <div>
      <PaymentsPageHead here="funds" titleId="api-title" />
      <MonthBar filter={filter} firstMonth={page?.firstMonth} />
      {isOnline || !page ? null : (
        <p role="status" className="mb-4 text-14 text-warning">
          {t('funds_offline', { time: displayTime(page.asOf, 'second').slice(11) })}
        </p>
      )}
      {list.isError && !page ? (
        <ErrorState error={list.error} title={t('funds_failed')} onRetry={() => void list.refetch()} />
      ) : (
        <>
          <MonthTotals page={page} />
          <Unfinished />
          <FundsFilterBar filter={filter} counts={page?.counts} search={search} />
          <Ledger filter={filter} list={list} rows={rows} chosen={shown || chosen} onShow={show} />
          <Foot />
        </>
      )}
      <MovementSheet row={rows.find((row) => row.id === shown)} onClose={() => setShown('')} />
    </div>
  )
}

interface LedgerProps {
  readonly filter: ReturnType<typeof useFundsFilter>
  readonly list: ReturnType<typeof useFunds>
  readonly rows: Parameters<typeof MovementList>[0]['rows']
  readonly chosen: string
  readonly onShow: (id: string) => void
}

function Ledger({ filter, list, rows, chosen, onShow }: LedgerProps) {
  const t = useTexts(fundsTexts)
  const page = list.data?.pages[0]
  const isFiltered = filter.category !== undefined || filter.q !== ''
  if (!page)
    return (
      <div className="card">
        <SkeletonRows rows={8} />
      </div>
    )
  if (!rows.length)
    return (
      <div className="card">
        <Nothing filter={filter} page={page} isFiltered={isFiltered} />
      </div>
    )
  const foot = isFiltered ? (
    <FootLine label={t('funds_sum', { count: page.found })} value={<MoneyText signed value={page.sum} figure={FIGURES['funds.sum']} />} />
  ) : list.hasNextPage ? null : (
    <FootLine label={t('funds_opening')} value={<MoneyText value={page.totals.opening} figure={FIGURES['funds.opening']} />} />
  )
  return (
    <div aria-live="polite" aria-busy={list.isFetching && list.isPlaceholderData}>
      <MovementList label={t('funds')} rows={rows} chosen={chosen} onShow={onShow} foot={foot} />
      {list.hasNextPage || rows.length > 199 ? (
        <ListEnd hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
      ) : null}
    </div>
  )
}

function FootLine({ label, value }: { readonly label: string; readonly value: ReactNode }) {
  return (
    <p className="flex items-baseline justify-between gap-4 border-t border-line bg-sunken px-4 py-3 text-14 text-fg-2 mobile:px-5">
      <span>{label}</span>
      {value}
    </p>
  )
}

function Nothing({
  filter,
  page,
  isFiltered,
}: Pick<LedgerProps, 'filter'> & { readonly page: NonNullable<LedgerProps['list']['data']>['pages'][0]; readonly isFiltered: boolean }) {
  const t = useTexts(fundsTexts)
  if (isFiltered)
    return (
      <EmptyState
        title={t('funds_no_match')}
        body={t('funds_no_match_about')}
        action={
          <Button
            variant="secondary"
            onClick={() => {
              filter.setCategory('all')
              filter.setQ('')
            }}
          >
            {t('funds_clear')}
          </Button>
        }
      />
    )
  const isNew = page.month === page.firstMonth && page.isCurrent
  if (isNew) return <EmptyState title={t('funds_new')} action={<Button onClick={() => openDialog('recharge')}>{t('funds_recharge')}</Button>} />
  return <EmptyState title={t('funds_empty')} body={t('funds_empty_about', { opening: page.totals.opening })} />
}

function Foot() {
  const t = useTexts(fundsTexts)
  const [before, after = ''] = t('funds_foot_cards', { link: '\u0000' }).split('\u0000')
  return (
    <div className="mt-3 flex flex-wrap justify-between gap-x-6 gap-y-2 text-13 text-fg-2">
      <p>
        {before}
        <Link to="/bill" className="link">
          {t('funds_foot_link')}
        </Link>
        {after}
      </p>
      <p>
        <Link to="/orders" className="link">
          {t('funds_over')}
        </Link>
      </p>
      <p>{t('funds_foot_time')}</p>
    </div>
  )
}
