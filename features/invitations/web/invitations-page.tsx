import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { useTitle } from '#platform/web/title.ts'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { InvitationInfo } from '../contract-shapes.ts'
import { invitationTexts } from '../texts.ts'
import { EnterCode } from './enter-code.tsx'
import { LinkCard } from './link-card.tsx'
import { PosterCard } from './poster-card.tsx'
import { Quarter } from './quarter.tsx'
import { InvitationRecords } from './records.tsx'
import { RulesLine } from './rules-line.tsx'
import { RewardSums } from './sums.tsx'
import { useInvitationInfo } from './use-invitations.ts'

/** /invite-record: what both get, the link, what it brought, and each row of it. */
export function InvitationsPage() {
  const t = useTexts(invitationTexts)
  useTitle(t('title'))
  const { data, isError, error, refetch } = useInvitationInfo()
  if (isError && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Waiting />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-9 min-[1160px]:grid-cols-[minmax(0,1fr)_300px] mobile:gap-7">
      <div className="grid min-w-0 gap-6">
        <Head info={data} />
        <LinkCard info={data} />
        <RewardSums info={data} />
        {data.codeUntil ? <EnterCode until={data.codeUntil} /> : null}
        {data.rules.tiers ? <Quarter info={data} /> : null}
        <InvitationRecords reviewDays={data.rules.reviewDays} />
      </div>
      <PosterCard info={data} />
    </div>
  )
}

/** Both sums in one sentence, and what they depend on. */
function Head({ info }: { readonly info: InvitationInfo }) {
  const t = useTexts(invitationTexts)
  const { rules, ownRate, fullUntil, underReview } = info
  return (
    <header>
      <div className="mb-5 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h1 className="text-20 font-bold">{t('title')}</h1>
        <RulesLine rules={rules} />
      </div>
      <p className="text-28 font-bold text-balance mobile:text-20">
        {t('both_sums', { discount: displayUsd(rules.discount), reward: displayUsd(ownRate?.reward ?? rules.reward) })}
      </p>
      <p className="mt-2 text-14 text-fg-2">{t('condition', { threshold: displayUsd(rules.threshold) })}</p>
      {ownRate ? (
        <p className="mt-1 text-14 text-brand-text">
          {t('own_rate', { reward: displayUsd(ownRate.reward), day: ownRate.until, standard: displayUsd(rules.reward) })}
        </p>
      ) : null}
      {fullUntil ? (
        <AlertBox kind="info" className="mt-4">
          {t('full', { day: displayTime(fullUntil, 'day') })}
        </AlertBox>
      ) : null}
      {underReview ? (
        <AlertBox kind="info" className="mt-4">
          {t('review_open', { reviewDays: String(rules.reviewDays) })}
        </AlertBox>
      ) : null}
    </header>
  )
}

function Waiting() {
  return (
    <div className="grid gap-6" aria-busy="true">
      <Skeleton className="h-24" />
      <Skeleton className="h-20" />
      <div className="grid grid-cols-3 gap-4 mobile:grid-cols-1">
        {[1, 2, 3].map((n) => (
          <Skeleton key={n} className="h-40" />
        ))}
      </div>
      <Skeleton className="h-64" />
    </div>
  )
}
