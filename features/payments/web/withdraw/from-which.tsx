import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { parseUsd } from '#platform/shared/money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { usdDisplay } from '#platform/web/money.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { pageTexts } from '../../texts-pages.ts'
import { rewardsApi } from '../pages-api.ts'

/** Balance or rewards, for whoever has both. Rewards leave on their own page, all of them at once. */
export function FromWhich({ children, onLeave }: { readonly children: ReactNode; readonly onLeave: () => void }) {
  const t = useTexts(pageTexts)
  const [from, setFrom] = useState<'balance' | 'rewards'>('balance')
  const { data } = useQuery({
    queryKey: ['payments', 'withdrawals', 'rewards'],
    queryFn: ({ signal }) => rewardsApi.getInvitationReward({}, { signal }),
    staleTime: 0,
  })
  if (!data || parseUsd(data.available) <= 0n) return children
  const missing = parseUsd(data.withdrawMissing) > 0n
  return (
    <div className="grid gap-5">
      <Segmented
        label={t('withdraw_from')}
        items={[
          { value: 'balance', label: t('withdraw_from_balance') },
          { value: 'rewards', label: `${t('withdraw_from_rewards')} ${usdDisplay(data.available)}` },
        ]}
        value={from}
        onChange={setFrom}
      />
      {from === 'balance' ? (
        children
      ) : (
        <div className="grid gap-4">
          <div>
            <p className="text-13 text-fg-2">{t('withdraw_can')}</p>
            <p className="num text-28 font-semibold">{usdDisplay(data.available)}</p>
            <p className="mt-1 text-14 text-fg-2">
              {missing
                ? t('withdraw_rewards_missing', { min: usdDisplay(data.withdrawMin), missing: usdDisplay(data.withdrawMissing) })
                : t('withdraw_rewards_about', { min: usdDisplay(data.withdrawMin) })}
            </p>
          </div>
          <Link
            to={'/invite-record' as string}
            {...(missing ? {} : { search: { withdraw: '1' } as never })}
            onClick={onLeave}
            className={buttonClass('primary', 'lg', 'w-full')}
          >
            {t(missing ? 'withdraw_rewards_see' : 'withdraw_rewards_go')}
          </Link>
        </div>
      )}
    </div>
  )
}
