import { useQuery } from '@tanstack/react-query'
import { useSignedIn } from '#platform/web/state/session.ts'
import { accessContract } from '../../contract.console.ts'
import { createConsoleApi } from './api.ts'

const api = createConsoleApi({ me: accessContract.me })
/** Polling interval of an attended tab: the longest that a suspension or a lost permission goes unnoticed. */
const POLL_INTERVAL_MS = 5_000
/** A tab without input for this long counts as unattended and stops polling, so that the session can expire. */
const IDLE_MS = 120_000

let lastInputAt = Date.now()
if (typeof document !== 'undefined')
  for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'visibilitychange'])
    addEventListener(kind, () => (lastInputAt = Date.now()), { passive: true, capture: true })

/** Reports user input within the last 120 s in a visible tab; screens pause polling otherwise. */
export const isAttended = () => document.visibilityState === 'visible' && Date.now() - lastInputAt < IDLE_MS
/** For `refetchInterval`. */
export const pollWhileAttended = (ms: number) => () => (isAttended() ? ms : false)

/** The signed-in operator and their permissions. */
export function useSignedInOperator() {
  const signedIn = useSignedIn()
  return useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => api.me({}, { signal }),
    enabled: signedIn,
    staleTime: POLL_INTERVAL_MS,
    refetchInterval: () => (isAttended() ? POLL_INTERVAL_MS : IDLE_MS),
    refetchIntervalInBackground: false,
  })
}

/** Returns a function that checks one of the operator's permissions; false until they are loaded. */
export function useHasPermission(): (permission: string | undefined) => boolean {
  const { data } = useSignedInOperator()
  return (permission) => permission === undefined || (data?.permissions.includes(permission) ?? false)
}
