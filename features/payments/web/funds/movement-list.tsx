import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { countCommonPlaces } from '#platform/shared/show-money.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { MoneyText } from '#ui/money-text.tsx'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import type { FundsRow } from '#features/wallet/contract-funds.ts'
import { fundsTexts } from '../../texts-funds.ts'
import { MovementLinks } from './movement-links.tsx'

interface MovementListProps {
  readonly rows: readonly FundsRow[]
  /** The row that is open in the sheet or focused by keyboard. */
  readonly chosen?: string
  readonly onShow: (id: string) => void
  /** The last line: the opening balance, or the sum of a filter. */
  readonly foot?: ReactNode
  readonly label: string
}

const formatWhen = (row: FundsRow) => displayTime(row.at).slice(5)

/**
 * One row per movement, newest first. Below 1400 px the route moves to the second line, below 900 the balance is hidden; a phone has two
 * lines per row.
 */
export function MovementList(props: MovementListProps) {
  return useIsMobile() ? <Lines {...props} /> : <Table {...props} />
}

function State({ row }: { readonly row: FundsRow }) {
  const t = useTexts(fundsTexts)
  if (row.state === null) return null
  return <Badge tone={row.state === 'processing' ? 'info' : 'neutral'}>{t(row.state === 'processing' ? 'funds_processing' : 'funds_returned')}</Badge>
}

function Amount({ row, align }: { readonly row: FundsRow; readonly align?: number }) {
  const isIn = !row.amount.startsWith('-')
  return (
    <MoneyText
      signed
      value={row.amount}
      figure={FIGURES['funds.row.amount']}
      className={`text-14 font-semibold ${isIn ? 'text-brand-text' : ''}`}
      {...(align === undefined ? {} : { align })}
    />
  )
}

function Route({ row, className = '' }: { readonly row: FundsRow; readonly className?: string }) {
  return (
    <span className={`items-center gap-1.5 ${className}`}>
      <span className="[word-break:keep-all]">{row.from}</span>
      <ArrowRight size={13} strokeWidth={1.75} className="shrink-0 text-fg-3" aria-hidden="true" />
      <span className="[word-break:keep-all]">{row.to}</span>
    </span>
  )
}

function Table({ rows, chosen = '', onShow, foot, label }: MovementListProps) {
  const t = useTexts(fundsTexts)
  const places = countCommonPlaces(rows.map((row) => row.amount))
  const balances = countCommonPlaces(rows.map((row) => row.balance))
  const head = 'h-10 px-4 text-13 font-medium whitespace-nowrap text-fg-2'
  return (
    <div className="card overflow-hidden">
      <table className="w-full border-collapse text-14">
        <caption className="sr-only">{label}</caption>
        <thead className="bg-sunken text-left">
          <tr>
            <th scope="col" className={head}>
              {t('funds_col_time')}
            </th>
            <th scope="col" className={head}>
              {t('funds_col_what')}
            </th>
            <th scope="col" className={`${head} max-[1399px]:hidden`}>
              {t('funds_col_route')}
            </th>
            <th scope="col" className={`${head} text-right`}>
              {t('funds_col_amount')}
            </th>
            <th scope="col" className={`${head} text-right max-[899px]:hidden`}>
              {t('funds_col_balance')}
            </th>
            <th scope="col" className={`${head} text-right`}>
              {t('funds_col_papers')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} isChosen={row.id === chosen} onShow={onShow} places={places} balances={balances} />
          ))}
        </tbody>
      </table>
      {foot}
    </div>
  )
}

interface RowProps {
  readonly row: FundsRow
  readonly isChosen: boolean
  readonly onShow: (id: string) => void
  /** Decimal places needed by the columns of amounts and balances. */
  readonly places: number
  readonly balances: number
}

function Row({ row, isChosen, onShow, places, balances }: RowProps) {
  const t = useTexts(fundsTexts)
  return (
    <tr
      data-movement={row.id}
      aria-selected={isChosen || undefined}
      onClick={() => onShow(row.id)}
      className={`cursor-pointer border-t border-line ${isChosen ? 'bg-brand-soft shadow-[inset_3px_0_0_var(--color-brand)]' : 'hover:bg-sunken'}`}
    >
      <td className="num px-4 py-2 text-13 whitespace-nowrap text-fg-2">
        <time dateTime={row.at}>{formatWhen(row)}</time>
      </td>
      <td className="min-w-0 px-4 py-2">
        <button
          type="button"
          data-open={row.id}
          aria-label={t('funds_open_row', { title: row.title, amount: displayUsd(row.amount, 2, true) })}
          onClick={(event) => {
            event.stopPropagation()
            onShow(row.id)
          }}
          className="-mx-1 inline-flex flex-wrap items-center gap-2 rounded-tag px-1 text-left font-semibold [overflow-wrap:anywhere]"
        >
          {row.title}
          <State row={row} />
        </button>
        <p className="text-13 text-fg-2 [overflow-wrap:anywhere]">
          <Route row={row} className="mr-1.5 hidden text-fg-3 max-[1399px]:inline-flex" />
          {row.about ? <span className="hidden text-fg-3 max-[1399px]:inline">· </span> : null}
          {row.about}
        </p>
      </td>
      <td className="px-4 py-2 text-13 text-fg-2 max-[1399px]:hidden">
        <Route row={row} className="inline-flex" />
      </td>
      <td className="px-4 py-2 text-right whitespace-nowrap">
        <Amount row={row} align={places} />
      </td>
      <td className="px-4 py-2 text-right whitespace-nowrap text-fg-2 max-[899px]:hidden">
        <MoneyText value={row.balance} align={balances} figure={FIGURES['funds.row.balance']} />
      </td>
      <td className="px-4 py-2 text-right">
        <MovementLinks row={row} />
      </td>
    </tr>
  )
}

function Lines({ rows, chosen = '', onShow, foot, label }: MovementListProps) {
  const t = useTexts(fundsTexts)
  return (
    <div className="-mx-5 border-y border-line bg-surface">
      <ul aria-label={label}>
        {rows.map((row) => (
          <li key={row.id} data-movement={row.id} className={`border-b border-line last:border-b-0 ${row.id === chosen ? 'bg-brand-soft' : ''}`}>
            <button type="button" data-open={row.id} onClick={() => onShow(row.id)} className="grid min-h-[60px] w-full gap-0.5 px-5 py-2.5 text-left">
              <span className="flex items-start justify-between gap-3">
                <span className="flex min-w-0 flex-wrap items-center gap-2 text-14 font-semibold [overflow-wrap:anywhere]">
                  {row.title}
                  <State row={row} />
                </span>
                <Amount row={row} />
              </span>
              <span className="flex items-baseline justify-between gap-3 text-12 text-fg-2">
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  <time dateTime={row.at} className="num">
                    {formatWhen(row)}
                  </time>{' '}
                  {row.amount.startsWith('-') ? t('funds_to', { to: row.to }) : t('funds_from', { from: row.from })}
                </span>
                <MoneyText value={row.balance} figure={FIGURES['funds.row.balance']} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {foot}
    </div>
  )
}
