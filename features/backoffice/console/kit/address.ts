import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

export type AddressParams = Readonly<Record<string, string | undefined>>

/** The URL's query as text: filters, sorting, open row. Setting a name to undefined removes it. */
export function useAddress(): readonly [AddressParams, (patch: AddressParams, how?: { readonly replace?: boolean }) => void] {
  const search = useSearch({ strict: false }) as AddressParams
  const navigate = useNavigate()
  const set = useCallback(
    (patch: AddressParams, { replace = true }: { readonly replace?: boolean } = {}) => {
      void navigate({
        to: '.',
        search: (old: Record<string, unknown>) => ({ ...old, ...patch }),
        replace,
        resetScroll: false,
      })
    },
    [navigate],
  )
  return [search, set]
}
