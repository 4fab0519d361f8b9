import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { walletContract } from '#features/wallet/contract.ts'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import { createApi } from '#platform/web/calls/api.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { UsdShort } from '#platform/web/money.tsx'
import { useSignedIn } from '#platform/web/state/session.ts'
import { shellTexts } from '../texts.ts'

const api = createApi({ balanceInfo: walletContract.balanceInfo })

const HELD_MS = 10_000

/** Always in view; pages share it under the key ['wallet', 'balance'] and invalidate it when money moves. */
export function BalancePill() {
  const t = useTexts(shellTexts)
  const { data } = useQuery({
    queryKey: ['wallet', 'balance'],
    queryFn: ({ signal }) => api.balanceInfo({}, { signal }),
    enabled: useSignedIn(),
    // an amount set aside leaves or comes back by itself
    refetchInterval: ({ state }) => (state.data && state.data.held !== '0' ? HELD_MS : false),
  })
  return (
    <Link
      to="/api"
      search={{ tab: 'view' }}
      className="inline-flex min-h-8 items-center gap-2 rounded-full border border-line bg-surface px-3.5 text-13 no-underline hover:border-control mobile:min-h-11 mobile:px-3"
    >
      <span className="text-fg-2 whitespace-nowrap mobile:sr-only">{t('balance')}</span>
      <span className="num min-w-12 text-right font-semibold mobile:text-center">
        {data ? <UsdShort value={data.balance} kind="have" figure={FIGURES['balance.posted']} /> : '$–'}
      </span>
    </Link>
  )
}
