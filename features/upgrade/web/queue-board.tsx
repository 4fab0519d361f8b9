import { useEffect, useRef, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { useOnline } from '#platform/web/online.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { UpgradeQueue, UpgradeRow } from '../contract.ts'
import { upgradeTexts } from '../texts.ts'
import { useUpgradeQueue } from './use-upgrade.ts'

/** Number of stubs drawn; those further ahead are shown as a count. */
const TICKET_COUNT = 6
/** Minimum delay in minutes for which the page gives a reason. */
const DELAY_THRESHOLD_MINUTES = 3

/** Orders ahead, minutes and expected time; stubs of the queue with the member's own highlighted. */
export function QueueBoard({ order }: { readonly order: UpgradeRow }) {
  const t = useTexts(upgradeTexts)
  const online = useOnline()
  const { data } = useUpgradeQueue(order.id)
  const why = useIsDelayed(data)
  if (!data) return <Skeleton className="h-72" />
  const night = !data.isOpen && !order.inHand
  return (
    <section className="card p-6 mobile:p-5" aria-label={t('queue')}>
      <div role="status" className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        {order.inHand ? (
          <Figure name={t('nowName')} value={t('inHand')} small />
        ) : night ? (
          <Figure name={t('opensName')} value={displayTime(data.opensTime).slice(11)} unit={t('placeN', { n: data.ahead + 1 })} />
        ) : (
          <Figure name={t('aheadName')} value={String(data.ahead)} unit={t('people')} />
        )}
        {data.minutes !== null && data.readyTime !== null ? (
          <>
            {night ? null : <Figure name={t('minutesName')} value={String(data.minutes)} unit={t('minutes')} />}
            <Figure name={t('readyName')} value={displayTime(data.readyTime).slice(11)} />
          </>
        ) : (
          <p className="max-w-[20em] text-13 text-fg-2">{t('noPace')}</p>
        )}
      </div>
      <QueueTickets tickets={data.tickets} ahead={data.ahead} own={order.ticket} inHand={order.inHand} />
      <p className="mt-4 text-13 text-fg-2">
        {data.half !== null && data.most !== null ? t('measured', { n: data.counted, half: data.half, most: data.most }) : t('notMeasured')}
        <span className="block">{t('mayClose')}</span>
      </p>
      {why ? <p className="mt-1 text-13 text-warning">{t('longer', { working: data.working })}</p> : null}
      {online ? null : <p className="mt-1 text-13 text-warning">{t('offline')}</p>}
    </section>
  )
}

function Figure({ name, value, unit, small }: { readonly name: string; readonly value: string; readonly unit?: string; readonly small?: boolean }) {
  return (
    <div>
      <p className="text-14 text-fg-2">{name}</p>
      <p className="whitespace-nowrap">
        <span className={`num font-semibold ${small ? 'text-28 leading-[48px]' : 'text-[56px] leading-[64px] mobile:text-40 mobile:leading-[52px]'}`}>
          {value}
        </span>
        {unit ? <span className="ml-2 text-18 font-bold">{unit}</span> : null}
      </p>
    </div>
  )
}

interface QueueTicketsProps {
  readonly tickets: readonly string[]
  readonly ahead: number
  readonly own: string
  readonly inHand: boolean
}

function QueueTickets({ tickets, ahead, own, inHand }: QueueTicketsProps) {
  const t = useTexts(upgradeTexts)
  const more = ahead - Math.min(tickets.length, TICKET_COUNT)
  return (
    <ul aria-label={t('stubs')} className="mt-5 flex flex-wrap items-end gap-2">
      {more > 0 ? <li className="num self-center pr-1 text-14 text-fg-2">{t('moreAhead', { n: more })}</li> : null}
      {tickets.slice(0, TICKET_COUNT).map((ticket) => (
        <li key={ticket} className="w-20 rounded-t-tag bg-sunken px-3 py-2.5">
          <p className="num text-14 font-semibold">{ticket}</p>
          <p className="text-12 text-fg-2">{t('waiting')}</p>
        </li>
      ))}
      <li className="w-24 rounded-t-tag bg-fg px-3 pt-4 pb-3.5 text-surface" aria-current="true">
        <p className="num text-14 font-semibold">{own}</p>
        <p className="text-12">{t(inHand ? 'youNow' : 'you')}</p>
      </li>
    </ul>
  )
}

/** True while the wait exceeds the shortest one shown, so that the page gives the reason for a longer wait. */
function useIsDelayed(data: UpgradeQueue | undefined): boolean {
  const shortest = useRef<number>(undefined)
  const [longer, setLonger] = useState(false)
  const ready = data?.readyTime ? Date.parse(data.readyTime) : undefined
  useEffect(() => {
    if (ready === undefined) return
    setLonger(shortest.current !== undefined && ready - shortest.current > DELAY_THRESHOLD_MINUTES * 60_000)
    shortest.current = Math.min(shortest.current ?? ready, ready)
  }, [ready])
  return longer
}
