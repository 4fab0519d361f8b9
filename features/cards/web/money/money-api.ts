import { useQuery } from '@tanstack/react-query'
import { createApi } from '#platform/web/calls/api.ts'
import { useLang } from '#platform/web/i18n.ts'
import { maintainContract } from '#features/payments/contract-maintain.ts'
import { walletContract } from '#features/wallet/contract.ts'

const wallet = createApi({ balanceInfo: walletContract.balanceInfo })
const payments = createApi(maintainContract)

/** Shared with the balance in the bar. */
export function useWalletBalance() {
  return useQuery({ queryKey: ['wallet', 'balance'], queryFn: ({ signal }) => wallet.balanceInfo({}, { signal }) })
}

/** Maintenance state; shares its cache with the payment dialog. */
export function useCardMaintenance() {
  const lang = useLang()
  return useQuery({ queryKey: ['payments', 'maintain', lang], queryFn: ({ signal }) => payments.maintain({}, { signal }), staleTime: 60_000 })
}
