import { useEffect, useMemo } from 'react'
import { create } from 'zustand'
import type { ModelRow, gatewayContract } from '#features/gateway/contract.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { Loaded } from '#platform/web/page-data.tsx'
import { onSessionEnd, useSession } from '#platform/web/state/session.ts'
import { usePrices } from './use-prices.ts'

type Prices = ReplyOf<(typeof gatewayContract)['modelPrice']>
const useOwn = create<{ readonly rows: readonly ModelRow[] | undefined; readonly of: string | undefined }>(() => ({ rows: undefined, of: undefined }))

/** Once a session: most customers have negotiated nothing, and the list says what they pay. */
function ask(token: string): void {
  if (useOwn.getState().of === token) return
  useOwn.setState({ rows: undefined, of: token })
  import('./public-api.ts')
    .then(({ publicApi }) => publicApi.ownPrices({}))
    .then(
      ({ rowList }) => useOwn.setState((now) => (now.of === token ? { rows: rowList, of: token } : now)),
      () => useOwn.setState((now) => (now.of === token ? { rows: undefined, of: undefined } : now)),
    )
}
onSessionEnd(() => useOwn.setState({ rows: undefined, of: undefined }))

export const withOwn = (list: readonly ModelRow[], own: readonly ModelRow[]): ModelRow[] => {
  const byModel = new Map(own.map((row) => [row.modelValue, row]))
  return list.map((row) => byModel.get(row.modelValue) ?? row)
}

/** The list as the reader pays it: `isOwn` where prices of their own stand in it, each marked by its `percent`. */
export function useYourPrices(): Loaded<Prices> & { readonly isOwn: boolean } {
  const page = usePrices()
  const token = useSession((session) => session.token)
  const own = useOwn((state) => (state.of === token ? state.rows : undefined))
  useEffect(() => {
    if (token) ask(token)
  }, [token])
  const data = useMemo(() => (page.data && own?.length ? { ...page.data, rowList: withOwn(page.data.rowList, own) } : page.data), [page.data, own])
  return { ...page, data, isOwn: data !== page.data }
}
