import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import { Usd } from '#platform/web/money.tsx'
import { formatCount, countCommonPlaces } from '#platform/shared/show-money.ts'
import { VendorDot } from '../vendors/vendor-dot.tsx'
import type { UsageRow, UsageTotals } from '../../contract-usage.ts'
import { gatewayTexts } from '../../texts.ts'
import { formatSumTokens } from '../figures.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CallLine } from '../requests/call-line.tsx'
import { useCalls } from '../queries.ts'
import type { CallQuery } from '../queries.ts'

interface DayCallsProps {
  readonly wish: CallQuery
  readonly withModel: boolean
  readonly onCall: (callId: string) => void
}

/** The calls behind a row of sums; each opens its receipt. */
function DayCalls({ wish, withModel, onCall }: DayCallsProps) {
  const t = useTexts(gatewayTexts)
  const calls = useCalls(wish)
  if (calls.error)
    return (
      <div className="p-3">
        <ErrorState error={calls.error} onRetry={() => void calls.refetch()} />
      </div>
    )
  if (!calls.data) return <SkeletonRows rows={3} />
  const rows = calls.data.pages.flatMap((page) => page.rowList)
  return (
    <div className="px-2 py-1">
      <ul className="divide-y divide-line">
        {rows.map((row) => (
          <CallLine key={row.callId} row={row} withModel={withModel} onCall={onCall} />
        ))}
      </ul>
      {calls.hasNextPage ? (
        <div className="py-2 text-center">
          <Button variant="ghost" size="sm" loading={calls.isFetchingNextPage} onClick={() => void calls.fetchNextPage()}>
            {t('moreCalls')}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

interface UsageTableProps {
  readonly rows: readonly UsageRow[]
  readonly keyId: string
  readonly totals: UsageTotals | null | undefined
  readonly group: 'model' | 'key'
  readonly onCall: (callId: string) => void
  readonly instead?: ReactNode
}

const toRowKey = (row: UsageRow) => `${row.statDate} ${row.modelValue} ${row.keyId}`
/** Name of a row; a key that is no longer listed shows its id. */
const getRowName = (row: UsageRow) => row.modelValue || row.keyName || row.keyId
const toCallQuery = (row: UsageRow, keyId: string) => ({
  from: row.statDate,
  to: row.statDate,
  ...(row.modelValue ? { model: row.modelValue } : {}),
  ...(row.keyId || keyId ? { keyId: row.keyId || keyId } : {}),
})

/** A row per day and model, which expands to its calls; sums of the whole period are at the top, where they stay in view. */
export function UsageTable(props: UsageTableProps) {
  const mobile = useIsMobile()
  if (props.instead) return <div className="card">{props.instead}</div>
  // rows and their total share decimal places, so that they add up as shown
  const places = countCommonPlaces([...(props.totals ? [props.totals.consumeAmount] : []), ...props.rows.map((row) => row.consumeAmount)], 4)
  return mobile ? <Cards {...props} places={places} /> : <Table {...props} places={places} />
}

function useOpenRows() {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (key: string) =>
    setOpen((old) => {
      const next = new Set(old)
      if (!next.delete(key)) next.add(key)
      return next
    })
  return [open, toggle] as const
}

function Table({ rows, keyId, totals, group, onCall, places }: UsageTableProps & { readonly places: number }) {
  const t = useTexts(gatewayTexts)
  const id = useId()
  const [open, toggle] = useOpenRows()
  return (
    <div className="card overflow-x-auto" role="group" aria-label={t('tab_billingDetails')} tabIndex={0}>
      <table className="w-full border-collapse text-14">
        <caption className="sr-only">{t('tab_billingDetails')}</caption>
        <Head totals={totals} group={group} places={places} />
        <tbody>
          {rows.map((row, index) => {
            const key = toRowKey(row)
            return <Day key={key} id={`${id}-${index}`} row={row} isOpen={open.has(key)} onToggle={() => toggle(key)} {...{ keyId, group, onCall, places }} />
          })}
        </tbody>
      </table>
    </div>
  )
}

const NUMBER = 'px-4 text-right num'

function Head({ totals, group, places }: Pick<UsageTableProps, 'totals' | 'group'> & { readonly places: number }) {
  const t = useTexts(gatewayTexts)
  return (
    <thead className="bg-sunken text-13 text-fg-2">
      <tr>
        <th scope="col" className="h-11 px-4 text-left font-medium">
          {t('colDate')}
        </th>
        <th scope="col" className="px-4 text-left font-medium">
          {t(group === 'key' ? 'keyFilter' : 'colModel')}
        </th>
        <th scope="col" className="px-4 text-right font-medium">
          {t('colCalls')}
        </th>
        <th scope="col" className="px-4 text-right font-medium">
          {t('colTokens')}
        </th>
        <th scope="col" className="px-4 text-right font-medium">
          {t('colCost')}
        </th>
      </tr>
      {totals ? (
        <tr className="border-t border-line bg-surface font-semibold text-fg">
          <th scope="row" colSpan={2} className="h-12 px-4 text-left text-14 font-semibold">
            {t('total')}
          </th>
          <td className={NUMBER}>{formatCount(totals.callNum)}</td>
          <td className={NUMBER}>{formatSumTokens(totals)}</td>
          <td className={NUMBER}>
            <Usd value={totals.consumeAmount} places={places} figure={FIGURES['usage.total']} />
          </td>
        </tr>
      ) : null}
    </thead>
  )
}

interface DayProps extends Pick<UsageTableProps, 'keyId' | 'group' | 'onCall'> {
  readonly id: string
  readonly row: UsageRow
  readonly places: number
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function Day({ id, row, keyId, group, places, isOpen, onToggle, onCall }: DayProps) {
  const t = useTexts(gatewayTexts)
  return (
    <>
      <tr className="cursor-pointer border-t border-line hover:bg-sunken" onClick={onToggle}>
        <td className="h-12 px-4">
          <span className="num inline-flex items-center whitespace-nowrap">
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={id}
              aria-label={t('expand', { date: row.statDate, model: getRowName(row) })}
              className="-ml-1.5 mr-1 inline-flex size-6 items-center justify-center rounded-tag"
              onClick={(event) => {
                event.stopPropagation()
                onToggle()
              }}
            >
              <ChevronRight size={16} strokeWidth={1.75} aria-hidden="true" className={`text-fg-3 transition-transform ${isOpen ? 'rotate-90' : ''}`} />
            </button>
            {row.statDate}
          </span>
        </td>
        <td className="px-4">
          <span className="inline-flex items-center gap-2 [overflow-wrap:anywhere]">
            {group === 'model' ? <VendorDot vendor={row.vendor} /> : null}
            {getRowName(row)}
          </span>
        </td>
        <td className={NUMBER}>
          {formatCount(row.callNum)}
          {row.failNum ? <span className="block text-12 text-fg-3">{t('failedCount', { count: formatCount(row.failNum) })}</span> : null}
        </td>
        <td className={NUMBER}>{formatSumTokens(row)}</td>
        <td className={NUMBER}>
          <Usd value={row.consumeAmount} figure={FIGURES['usage.row.amount']} places={places} />
        </td>
      </tr>
      <tr id={id} hidden={!isOpen}>
        {isOpen ? (
          <td colSpan={5} className="border-t border-line bg-sunken p-0">
            <DayCalls wish={toCallQuery(row, keyId)} withModel={group === 'key'} onCall={onCall} />
          </td>
        ) : null}
      </tr>
    </>
  )
}

function Cards({ rows, keyId, totals, group, onCall, places }: UsageTableProps & { readonly places: number }) {
  const t = useTexts(gatewayTexts)
  const [open, toggle] = useOpenRows()
  return (
    <ul className="card divide-y divide-line" aria-label={t('tab_billingDetails')}>
      {totals ? (
        <li className="flex items-baseline justify-between gap-3 px-4 py-3.5 font-semibold">
          <span>
            {t('total')}{' '}
            <span className="num ml-1 text-13 font-normal text-fg-3">
              {t('colCalls')} {formatCount(totals.callNum)}
            </span>
          </span>
          <Usd value={totals.consumeAmount} places={places} figure={FIGURES['usage.total']} />
        </li>
      ) : null}
      {rows.map((row) => {
        const key = toRowKey(row)
        const isOpen = open.has(key)
        return (
          <li key={key}>
            <button type="button" aria-expanded={isOpen} onClick={() => toggle(key)} className="block w-full px-4 py-3.5 text-left -outline-offset-2">
              <span className="flex items-baseline justify-between gap-3">
                <span className="inline-flex min-w-0 items-center gap-2 font-semibold [overflow-wrap:anywhere]">
                  {group === 'model' ? <VendorDot vendor={row.vendor} /> : null}
                  {getRowName(row)}
                </span>
                <Usd value={row.consumeAmount} figure={FIGURES['usage.row.amount']} places={places} className="shrink-0 font-medium" />
              </span>
              <span className="num mt-1 flex items-center justify-between gap-3 text-13 text-fg-3">
                <span>{row.statDate}</span>
                <span className="inline-flex items-center gap-1">
                  {t('colCalls')} {formatCount(row.callNum)}
                  {formatSumTokens(row) === '–' ? null : ` · ${t('tokenCount', { count: formatSumTokens(row) })}`}
                  <ChevronRight size={14} strokeWidth={1.75} aria-hidden="true" className={`transition-transform ${isOpen ? 'rotate-90' : ''}`} />
                </span>
              </span>
            </button>
            {isOpen ? (
              <div className="border-t border-line bg-sunken">
                <DayCalls wish={toCallQuery(row, keyId)} withModel={group === 'key'} onCall={onCall} />
              </div>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}
