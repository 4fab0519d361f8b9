import { useQuery } from '@tanstack/react-query'
import { useSignedIn } from '#platform/web/state/session.ts'
import { accessContract } from '../../contract.console.ts'
import { consoleApi } from './api.ts'

const api = consoleApi({ me: accessContract.me })
/** How soon a tab that somebody works in notices that its operator is suspended or has lost a right. */
const WATCH_MS = 5_000
/** After so long without a hand on it a tab asks nothing any more, so that the session can end of itself. */
const REST_MS = 120_000

let lastTouch = Date.now()
if (typeof document !== 'undefined')
  for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'visibilitychange'])
    addEventListener(kind, () => (lastTouch = Date.now()), { passive: true, capture: true })

/** Whether somebody is working in this tab: screens that ask again by themselves stop while nobody does. */
export const isAttended = () => document.visibilityState === 'visible' && Date.now() - lastTouch < REST_MS
/** For `refetchInterval`. */
export const whileAttended = (ms: number) => () => (isAttended() ? ms : false)

/** Who is signed in and what they may do. */
export function useMe() {
  const signedIn = useSignedIn()
  return useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => api.me({}, { signal }),
    enabled: signedIn,
    staleTime: WATCH_MS,
    refetchInterval: () => (isAttended() ? WATCH_MS : REST_MS),
    refetchIntervalInBackground: false,
  })
}

/** Whether the operator may do something; false until it is known. */
export function useMay(): (permission: string | undefined) => boolean {
  const { data } = useMe()
  return (permission) => permission === undefined || (data?.permissions.includes(permission) ?? false)
}
