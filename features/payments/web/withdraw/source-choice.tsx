import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { parseUsd } from '#platform/shared/money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { getButtonClass } from '#ui/button.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { withdrawTexts } from '../../texts-withdraw.ts'
import { rewardsApi } from './rewards-api.ts'

/** Chooses between balance and rewards for users with both. Rewards are withdrawn on their own page, all at once. */
export function SourceChoice({ children, onLeave }: { readonly children: ReactNode; readonly onLeave: () => void }) {
  const t = useTexts(withdrawTexts)
  const [from, setFrom] = useState<'balance' | 'rewards'>('balance')
  const { data } = useQuery({
    queryKey: ['payments', 'withdrawals', 'rewards'],
    queryFn: ({ signal }) => rewardsApi.getInvitationReward({}, { signal }),
    staleTime: 0,
  })
  const rewards = data && parseUsd(data.available) > 0n ? data : undefined
  const missing = rewards !== undefined && parseUsd(rewards.withdrawMissing) > 0n
  return (
    <div className="grid gap-5">
      {rewards ? (
        <Segmented
          label={t('withdraw_from')}
          items={[
            { value: 'balance', label: t('withdraw_from_balance') },
            { value: 'rewards', label: `${t('withdraw_from_rewards')} ${displayUsd(rewards.available)}` },
          ]}
          value={from}
          onChange={setFrom}
        />
      ) : null}
      {from === 'balance' || !rewards ? (
        children
      ) : (
        <div className="grid gap-4">
          <div>
            <p className="text-13 text-fg-2">{t('withdraw_can')}</p>
            <p className="num text-28 font-semibold">{displayUsd(rewards.available)}</p>
            <p className="mt-1 text-14 text-fg-2">
              {missing
                ? t('withdraw_rewards_missing', { min: displayUsd(rewards.withdrawMin), missing: displayUsd(rewards.withdrawMissing) })
                : t('withdraw_rewards_about', { min: displayUsd(rewards.withdrawMin) })}
            </p>
          </div>
          <Link to="/invite-record" {...(missing ? {} : { search: { withdraw: '1' } })} onClick={onLeave} className={getButtonClass('primary', 'lg', 'w-full')}>
            {t(missing ? 'withdraw_rewards_see' : 'withdraw_rewards_go')}
          </Link>
        </div>
      )}
    </div>
  )
}
