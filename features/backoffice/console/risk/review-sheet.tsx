import { useQuery } from '@tanstack/react-query'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { FactRows } from '../kit/marks.tsx'
import { SideSheet } from '../kit/sheet.tsx'
import { serviceDeskTexts } from '../services/texts.ts'
import { reviewApi } from './api.ts'
import { InviterRates } from './inviter-rates.tsx'
import { RingGraph } from './ring-graph.tsx'
import { useSignal } from './use-signal.ts'

const DECISION_TEXT = { refuse: 'decision_refuse', release: 'decision_release' } as const

/** One inviter: the ring, the rewards with their signals, and the decision. */
export function ReviewSheet({ userId, onClose }: { readonly userId: string; readonly onClose: () => void }) {
  const t = useTexts(serviceDeskTexts)
  const say = useSignal()
  const read = useQuery({ queryKey: ['reviews', userId], queryFn: ({ signal }) => reviewApi.review({ userId }, { signal }) })
  const one = read.data
  if (!one)
    return (
      <SideSheet title={t('riskTitle')} onClose={onClose}>
        {read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : <SkeletonRows rows={8} />}
      </SideSheet>
    )
  const { figures } = one
  return (
    <SideSheet
      title={one.who}
      tags={one.isStaff ? <Badge tone="warning">{t('staff')}</Badge> : null}
      about={<CustomerLink userId={userId} />}
      onClose={onClose}
      foot={
        one.open ? (
          <>
            <CommandButton name="reward.refuse" input={{ user: userId }} about={one.who} danger />
            <CommandButton name="reward.release" input={{ user: userId }} about={one.who} variant="primary" />
          </>
        ) : (
          <CommandButton name="reward.hold" input={{ user: userId }} about={one.who} />
        )
      }
    >
      <RingGraph graph={one.graph} />
      <FactRows
        rows={[
          [t('figPeople'), `${figures.people} · ${t('figQualified', { n: figures.qualified })}`],
          [t('figEarned'), displayUsd(figures.earned)],
          [t('figPending'), displayUsd(figures.pending)],
          [t('figAvailable'), displayUsd(figures.available)],
          [t('figTakenBack'), String(figures.takenBack)],
        ]}
      />
      <InviterRates userId={userId} about={one.who} rates={one.rates} />
      <h3 className="mt-4 mb-1 text-13 font-semibold">{t('rewards')}</h3>
      {one.rewards.length ? null : <p className="text-13 text-fg-3">{t('noRewards')}</p>}
      <ul className="divide-y divide-line">
        {one.rewards.map((reward) => (
          <li key={reward.id} className="grid grid-cols-1 gap-0.5 py-2 text-13">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <CustomerLink userId={reward.inviteeId}>{reward.who}</CustomerLink>
              <span className="num text-fg-3">{reward.orderNo}</span>
              <span className="num ml-auto">{displayUsd(reward.amount)}</span>
            </p>
            <p className={reward.score >= one.weights.refuseAt ? 'text-danger' : reward.score >= one.weights.holdAt ? 'text-warning' : 'text-fg-3'}>
              {t('score', { n: reward.score })} {reward.signals.map(({ signal, weight }) => `${say(signal)} ${weight}`).join(' · ')}
            </p>
          </li>
        ))}
      </ul>
      {one.past.length ? (
        <>
          <h3 className="mt-4 mb-1 text-13 font-semibold">{t('pastReviews')}</h3>
          <ul className="divide-y divide-line">
            {one.past.map(({ closedAt, decision, reason }) => (
              <li key={closedAt} className="flex flex-wrap gap-x-3 py-1.5 text-13">
                <Badge tone={decision === 'release' ? 'success' : 'danger'}>{t(DECISION_TEXT[decision])}</Badge>
                <span className="min-w-0 flex-1">{reason}</span>
                <Time at={closedAt} className="text-fg-3" />
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </SideSheet>
  )
}
