import { useQuery } from '@tanstack/react-query'
import { useSignedIn } from '#platform/web/state/session.ts'
import { deskContract } from '../../contract-desk.console.ts'
import { consoleApi } from './api.ts'
import { useMay, whileAttended } from './use-me.ts'

const api = consoleApi({ counts: deskContract.counts })
const FRESH_MS = 15_000

/** How much waits, by the name of a count; what stands beside the lines of the navigation. */
export function useCounts(): Readonly<Record<string, number>> {
  const may = useMay()
  const { data } = useQuery({
    queryKey: ['counts'],
    queryFn: ({ signal }) => api.counts({}, { signal }),
    enabled: useSignedIn() && may('work.read'),
    refetchInterval: whileAttended(FRESH_MS),
  })
  return data?.counts ?? {}
}
