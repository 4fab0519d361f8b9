import { QueryClient } from '@tanstack/react-query'
import { isApiError } from './api-error.ts'

/**
 * Creates the query client. Calls already retry once on a lost connection; a refusal is a response and is never retried.
 *
 * `invalidateQueries` cancels a first fetch that was started before the change. The library restarts a fetch only if it already has data, so the
 * older response would count as the new one and the page would keep the state before the change.
 */
export function createQueryClient(): QueryClient {
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
