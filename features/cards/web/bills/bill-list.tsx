import type { ReactNode } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { parseUsd } from '#platform/shared/money.ts'
import { DataTable } from '#ui/data-table.tsx'
import type { BillRow } from '../../contract-bills.ts'
import { billTexts } from '../../texts-bills.ts'
import { BillAmount, buildBillColumns, BillTime } from './bill-cells.tsx'
import { stripMinusSign, formatBillName, formatBillNote } from './bill-words.ts'
import { CARDS_STATUS_TEXT } from '../../state-texts-bills.ts'

interface BillListProps {
  readonly caption: string
  readonly rows: readonly BillRow[]
  readonly onOpen: (id: string) => void
  readonly withCard: boolean
  readonly instead?: ReactNode
}

/** A table on desktop; on a phone two lines a bill, because eight labels a bill would bury the sums. */
export function BillList({ caption, rows, onOpen, withCard, instead }: BillListProps) {
  const t = useTexts(billTexts)
  const lang = useLang()
  const mobile = useIsMobile()
  if (!mobile) return <DataTable caption={caption} columns={buildBillColumns({ t, onOpen, withCard })} rows={rows} rowKey={(row) => row.id} instead={instead} />
  if (instead) return <div className="card">{instead}</div>
  return (
    <ul aria-label={caption} className="card divide-y divide-line">
      {rows.map((row) => (
        <li key={row.id}>
          <button type="button" onClick={() => onOpen(row.id)} className="block w-full px-4 py-3 text-left -outline-offset-2">
            <span className="flex items-baseline justify-between gap-3 text-14">
              <span className={`min-w-0 font-semibold ${row.merchant ? 'num whitespace-normal' : ''}`}>{formatBillName(lang, row)}</span>
              <BillAmount row={row} className="shrink-0" />
            </span>
            <span className="mt-0.5 flex items-baseline justify-between gap-3 text-13 text-fg-3">
              <span className="min-w-0">
                <span className="mr-2">
                  <BillTime at={row.time} />
                </span>
                {withCard ? <span className="num mr-2">{row.last4}</span> : null}
                <span className={row.status === 'fail' ? 'text-danger' : ''}>{formatBillNote(t, lang, row)}</span>
              </span>
              <span className={`shrink-0 ${row.status === 'fail' ? 'text-danger' : ''}`}>
                {t(CARDS_STATUS_TEXT[row.status])}
                {parseUsd(row.fee) === 0n ? null : t('withFee', { fee: displayUsd(stripMinusSign(row.fee)) })}
              </span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
