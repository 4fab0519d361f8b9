import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

export type Params = Readonly<Record<string, string | undefined>>

/** The query of the address as text: filters, sorting, what is open. Setting a name to undefined takes it out. */
export function useAddress(): readonly [Params, (patch: Params, how?: { readonly replace?: boolean }) => void] {
  const search = useSearch({ strict: false }) as Params
  const navigate = useNavigate()
  const set = useCallback(
    (patch: Params, { replace = true }: { readonly replace?: boolean } = {}) => {
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
