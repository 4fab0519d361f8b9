import { useEffect, useMemo } from 'react'
import { create } from 'zustand'
import type { ModelRow, gatewayContract } from '#features/gateway/contract.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { LoadedData } from '#platform/web/page-data.tsx'
import { onSessionEnd, useSession } from '#platform/web/state/session.ts'
import { usePriceList } from './use-prices.ts'

type Prices = ReplyOf<(typeof gatewayContract)['modelPrice']>
const useOwnRows = create<{ readonly rows: readonly ModelRow[] | undefined; readonly of: string | undefined }>(() => ({ rows: undefined, of: undefined }))

/** Loads the reader's own prices once per session: most customers have negotiated none, and the list has what they pay. */
function loadOwnPrices(token: string): void {
  if (useOwnRows.getState().of === token) return
  useOwnRows.setState({ rows: undefined, of: token })
  import('./public-api.ts')
    .then(({ sitePublicApi }) => sitePublicApi.ownPrices({}))
    .then(
      ({ rowList }) => useOwnRows.setState((now) => (now.of === token ? { rows: rowList, of: token } : now)),
      () => useOwnRows.setState((now) => (now.of === token ? { rows: undefined, of: undefined } : now)),
    )
}
onSessionEnd(() => useOwnRows.setState({ rows: undefined, of: undefined }))

export const mergeOwnPrices = (list: readonly ModelRow[], own: readonly ModelRow[]): ModelRow[] => {
  const byModel = new Map(own.map((row) => [row.modelValue, row]))
  return list.map((row) => byModel.get(row.modelValue) ?? row)
}

/** The price list with the reader's own prices: `isOwn` if it contains any, each marked by its `percent`. */
export function useYourPrices(): LoadedData<Prices> & { readonly isOwn: boolean } {
  const page = usePriceList()
  const token = useSession((session) => session.token)
  const own = useOwnRows((state) => (state.of === token ? state.rows : undefined))
  useEffect(() => {
    if (token) loadOwnPrices(token)
  }, [token])
  const data = useMemo(() => (page.data && own?.length ? { ...page.data, rowList: mergeOwnPrices(page.data.rowList, own) } : page.data), [page.data, own])
  return { ...page, data, isOwn: data !== page.data }
}
