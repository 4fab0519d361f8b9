import { useQuery } from '@tanstack/react-query'
import { createApi } from '#platform/web/calls/api.ts'
import { queryClient } from '#platform/web/calls/query.tsx'
import { payPasswordErrors } from '#features/account/errors.ts'
import { serviceErrors } from '#features/services/errors.ts'
import { upgradeContract } from '../contract.ts'
import type { UpgradeRow } from '../contract.ts'
import { upgradeErrors } from '../errors.ts'

// Errors show the server's own texts, because they name the limit.
export const upgradeApi = createApi(upgradeContract, { alone: true, errors: { ...payPasswordErrors, ...serviceErrors, ...upgradeErrors } })

const POLL_INTERVAL_MS = 3_000
const OPEN_STATES: readonly string[] = ['placed', 'queued', 'captcha', 'link_expired']
export const isUpgradeOpen = (order: UpgradeRow | null | undefined): boolean => order !== null && order !== undefined && OPEN_STATES.includes(order.state)

export const useUpgradePlans = () =>
  useQuery({ queryKey: ['upgrade', 'plans'], queryFn: ({ signal }) => upgradeApi.openAIPlus({}, { signal }), staleTime: 60_000 })

/** One order, or the current one; polled while it is open. */
export const useUpgradeOrder = (id: string, signedIn: boolean) =>
  useQuery({
    queryKey: ['upgrade', 'order', id],
    enabled: signedIn,
    queryFn: async ({ signal }) => (await upgradeApi.upgradeStatus(id ? { id } : {}, { signal })).order,
    refetchInterval: ({ state: { data } }) => (isUpgradeOpen(data) ? POLL_INTERVAL_MS : false),
  })

export const useUpgradeQueue = (id: string | undefined, on = true) =>
  useQuery({
    queryKey: ['upgrade', 'queue', id ?? ''],
    enabled: on,
    queryFn: ({ signal }) => upgradeApi.openaiQueue(id ? { id } : {}, { signal }),
    refetchInterval: POLL_INTERVAL_MS * 2,
  })

export const useUpgrades = (signedIn: boolean) =>
  useQuery({
    queryKey: ['upgrade', 'list'],
    enabled: signedIn,
    queryFn: async ({ signal }) => (await upgradeApi.upgradeList({ pageNum: 1, pageSize: 50 }, { signal })).rowList,
    refetchInterval: ({ state: { data } }) => (data?.some(isUpgradeOpen) ? POLL_INTERVAL_MS : false),
  })

export const useCardCheck = (id: string) =>
  useQuery({ queryKey: ['upgrade', 'cards', id], queryFn: ({ signal }) => upgradeApi.bindTaskCardCheck({ id }, { signal }), refetchOnWindowFocus: true })

export function cacheUpgradeOrder(order: UpgradeRow | null): void {
  queryClient.setQueryData(['upgrade', 'order', ''], order)
  if (order) queryClient.setQueryData(['upgrade', 'order', order.id], order)
}
export function refreshUpgrades(): void {
  void queryClient.invalidateQueries({ queryKey: ['upgrade', 'order'] })
  void queryClient.invalidateQueries({ queryKey: ['upgrade', 'list'] })
  void queryClient.invalidateQueries({ queryKey: ['cards'] })
}
