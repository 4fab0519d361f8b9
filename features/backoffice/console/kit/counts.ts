import { useQuery } from '@tanstack/react-query'
import { useSignedIn } from '#platform/web/state/session.ts'
import { workDeskContract } from '../../contract-desk.console.ts'
import { createConsoleApi } from './api.ts'
import { useHasPermission, pollWhileAttended } from './use-me.ts'

const api = createConsoleApi({ counts: workDeskContract.counts })
const FRESH_MS = 15_000

/** Number of waiting items by count name, shown in the navigation. */
export function useWorkCounts(): Readonly<Record<string, number>> {
  const may = useHasPermission()
  const { data } = useQuery({
    queryKey: ['counts'],
    queryFn: ({ signal }) => api.counts({}, { signal }),
    enabled: useSignedIn() && may('work.read'),
    refetchInterval: pollWhileAttended(FRESH_MS),
  })
  return data?.counts ?? {}
}
