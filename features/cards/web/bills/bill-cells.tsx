import { CircleX, LoaderCircle } from 'lucide-react'
import { parseUsd } from '#platform/shared/money.ts'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { Usd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import type { Column } from '#ui/data-table.tsx'
import type { BillRow } from '../../contract-bills.ts'
import { billTexts } from '../../texts-bills.ts'
import { formatBillName, formatBillNote, isIncome, isVoidBill, BILL_TONES, type TranslateBill } from './bill-words.ts'
import { CARDS_STATUS_TEXT } from '../../state-texts-bills.ts'

/** Amount cell: credits in the brand's colour, debits plain, rows without effect struck through. */
export function BillAmount({ row, className = '' }: { readonly row: Pick<BillRow, 'amount' | 'status'>; readonly className?: string }) {
  // the sum of a payment that the issuer declined without asking us is unknown
  if (isVoidBill(row) && parseUsd(row.amount) === 0n) return <span className={`text-fg-3 ${className}`}>–</span>
  if (isVoidBill(row))
    return (
      <s className={`text-fg-3 ${className}`}>
        <Usd value={row.amount} signed={isIncome(row.amount)} />
      </s>
    )
  return <Usd value={row.amount} signed={isIncome(row.amount)} className={`font-semibold ${isIncome(row.amount) ? 'text-brand-text' : ''} ${className}`} />
}

export function BillStatus({ row }: { readonly row: Pick<BillRow, 'status' | 'kind'> }) {
  const t = useTexts(billTexts)
  const { status } = row
  const icon =
    status === 'fail' ? (
      <CircleX size={13} strokeWidth={1.75} aria-hidden="true" />
    ) : status === 'processing' ? (
      <LoaderCircle size={13} strokeWidth={1.75} aria-hidden="true" />
    ) : null
  return (
    <Badge tone={BILL_TONES[status]} icon={icon}>
      {t(CARDS_STATUS_TEXT[status])}
    </Badge>
  )
}

function Fee({ fee }: { readonly fee: string }) {
  return parseUsd(fee) === 0n ? <span className="text-fg-3">–</span> : <Usd value={fee} className="text-fg-2" />
}

/** 11-22 20:16; another year is named. */
export function BillTime({ at }: { readonly at: string }) {
  const text = displayTime(at)
  return (
    <time dateTime={at} className="num text-13 text-fg-2">
      {text.startsWith(displayTime(Date.now(), 'day').slice(0, 4)) ? text.slice(5) : text}
    </time>
  )
}

/** Title cell: the name opens the detail; a note below it explains the amount. */
function BillTitle({ row, onOpen, withCard }: { readonly row: BillRow } & Pick<ColumnsProps, 'onOpen' | 'withCard'>) {
  const t = useTexts(billTexts)
  const lang = useLang()
  return (
    <div className="min-w-0">
      <button
        type="button"
        onClick={() => onOpen(row.id)}
        className={`max-w-full text-left hover:underline ${row.merchant ? 'num text-13 whitespace-normal' : ''} font-medium`}
      >
        {formatBillName(lang, row)}
      </button>
      <span className="block text-13 text-fg-3 min-[1200px]:hidden">
        <span className="mr-2 min-[900px]:hidden">
          <BillTime at={row.time} />
        </span>
        {withCard ? <span className="num">{row.last4}</span> : null}
      </span>
      <span className={`block text-13 ${row.status === 'fail' ? 'text-danger' : 'text-fg-3'}`}>{formatBillNote(t, lang, row)}</span>
    </div>
  )
}

interface ColumnsProps {
  readonly t: TranslateBill
  readonly onOpen: (id: string) => void
  /** With several cards in the list, each row names its card. */
  readonly withCard: boolean
}

export function buildBillColumns({ t, onOpen, withCard }: ColumnsProps): Column<BillRow>[] {
  return [
    { key: 'time', header: t('col_time'), from: 900, className: 'whitespace-nowrap', cell: (row) => <BillTime at={row.time} /> },
    { key: 'merchant', header: t('col_merchant'), className: 'min-w-44', cell: (row) => <BillTitle row={row} onOpen={onOpen} withCard={withCard} /> },
    ...(withCard
      ? [{ key: 'card', header: t('col_card'), from: 1200 as const, cell: (row: BillRow) => <span className="num text-13 text-fg-2">{row.last4}</span> }]
      : []),
    { key: 'amount', header: t('col_amount'), align: 'right', cell: (row) => <BillAmount row={row} /> },
    { key: 'fee', header: t('col_fee'), align: 'right', from: 900, cell: (row) => <Fee fee={row.fee} /> },
    { key: 'status', header: t('col_status'), cell: (row) => <BillStatus row={row} /> },
    {
      key: 'balance',
      from: 1200,
      header: t('col_balance'),
      align: 'right',
      cell: (row) => (row.balanceAfter === null ? <span className="text-fg-3">–</span> : <Usd value={row.balanceAfter} className="text-fg-2" />),
    },
  ]
}
