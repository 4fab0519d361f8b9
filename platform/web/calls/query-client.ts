import { QueryClient } from '@tanstack/react-query'
import { isApiError } from './api-error.ts'

/**
 * Calls already repeat themselves once on a lost connection; a refusal is an answer and is never asked twice.
 *
 * What is asked anew may have been asked for before the change, and its first answer still be on its way. The library takes that answer for
 * the new one (it stops a fetch for a newer one only where there is an answer already), and the page stays as it was before the change; here
 * the newer answer counts.
 */
export function makeQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: { staleTime: 10_000, gcTime: 300_000, refetchOnWindowFocus: true, retry: (count, error) => !isApiError(error) && count < 1 },
      mutations: { retry: false },
    },
  })
  const invalidate = client.invalidateQueries.bind(client)
  client.invalidateQueries = async (filters, options) => {
    const fetching = client.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })
    const first = fetching.filter(({ state }) => state.data === undefined)
    if (first.length > 0) await Promise.all(first.map((query) => query.cancel({ revert: true })))
    return invalidate(filters, options)
  }
  return client
}
