import { useQuery } from '@tanstack/react-query'
import { accessContract } from '../../contract.console.ts'
import { createConsoleApi } from './api.ts'
import { useHasPermission } from './use-me.ts'

const api = createConsoleApi({ operators: accessContract.operators })

export function useOperators() {
  const may = useHasPermission()
  return useQuery({ queryKey: ['operators'], queryFn: ({ signal }) => api.operators({}, { signal }), staleTime: 300_000, enabled: may('work.read') })
}

/** Returns a function that maps an operator's id to the name, or to the id if it is unknown. */
export function useOperatorName(): (id: string) => string {
  const { data } = useOperators()
  return (id) => data?.operators.find((one) => one.id === id)?.name ?? id
}
