import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import type { ServiceTask } from '#features/services/contract.ts'
import { flexTexts } from '../texts.ts'
import { useFlexRecords } from './use-flex.ts'

const DAY_MS = 86_400_000
const TONES: Readonly<Record<ServiceTask['phase'], Tone>> = { draft: 'neutral', waiting: 'info', using: 'brand', done: 'neutral', failed: 'warning' }

/** Past orders, newest first; renders nothing if there are none. */
export function FlexRecords() {
  const t = useTexts(flexTexts)
  const [page, setPage] = useState(1)
  const { data } = useFlexRecords(page, true)
  if (!data?.totalRecord) return null
  return (
    <section aria-labelledby="flex-records" className="mt-10">
      <h2 id="flex-records" className="mb-3 text-16 font-semibold">
        {t('records')}
      </h2>
      <ul className="border-t border-line">
        {data.rowList.map((row) => (
          <li key={row.id} className="flex flex-wrap items-baseline gap-x-5 gap-y-1 border-b border-line py-3 text-14">
            <Time at={row.createdTime} className="text-13 text-fg-3" />
            <span className="min-w-40 flex-1">{row.productName}</span>
            <span className="flex flex-wrap items-baseline gap-2">
              <Badge tone={TONES[row.phase]}>{row.stateName}</Badge>
              {row.phase === 'failed' ? <span className="text-13 text-fg-3">{row.causeName}</span> : null}
            </span>
            <RecordMoney row={row} />
          </li>
        ))}
      </ul>
      {data.totalPage > 1 ? (
        <div className="mt-4 flex items-center gap-3">
          <Button variant="secondary" size="sm" disabled={page <= 1} onClick={() => setPage(page - 1)}>
            {t('newer')}
          </Button>
          <span className="num text-13 text-fg-2">
            {page} / {data.totalPage}
          </span>
          <Button variant="secondary" size="sm" disabled={page >= data.totalPage} onClick={() => setPage(page + 1)}>
            {t('older')}
          </Button>
        </div>
      ) : null}
    </section>
  )
}

/** As long as it is news: the newest order came to nothing, and what became of the money. */
export function FailureReason() {
  const t = useTexts(flexTexts)
  const newest = useFlexRecords(1, true).data?.rowList[0]
  const isBad = newest && newest.cause !== 'not_paid' && (newest.phase === 'failed' || newest.returned !== '0')
  if (!isBad || !newest.finishedTime || Date.now() - Date.parse(newest.finishedTime) > DAY_MS) return null
  const { productName, causeName, stateName, returned, amount } = newest
  const money = returned !== '0' ? t('endReturned', { amount: displayUsd(returned) }) : amount === '0' ? '' : t('endReleased', { amount: displayUsd(amount) })
  return (
    <AlertBox kind="warning" className="mb-8" title={t('endTitle', { name: productName, why: causeName || stateName })}>
      {money}
      {t('endNext')}
    </AlertBox>
  )
}

/** Strikes through an amount that was never charged. */
function RecordMoney({ row }: { readonly row: ServiceTask }) {
  const t = useTexts(flexTexts)
  const back = row.money === 'released'
  return (
    <span className="num ml-auto min-w-20 text-right">
      {back ? <s className="text-fg-3">{displayUsd(row.amount)}</s> : row.amount === '0' ? t('priceFree') : displayUsd(row.amount)}
      {row.returned === '0' ? null : <span className="block text-13 text-fg-3">{t('moneyReturned', { amount: displayUsd(row.returned) })}</span>}
    </span>
  )
}
