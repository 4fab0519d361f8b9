import { useQuery } from '@tanstack/react-query'
import { endSession, useSignedIn } from '#platform/web/session.ts'
import { accountApi } from './account-api.ts'

/** The signed-in user; idle for visitors. */
export function useMe() {
  return useQuery({ queryKey: ['account', 'info'], queryFn: ({ signal }) => accountApi.info({}, { signal }), enabled: useSignedIn(), staleTime: 60_000 })
}

/** Ends the session here even when the server cannot be reached; it dies there by itself after seven days. */
export function useSignOut(): () => Promise<void> {
  return async () => {
    await accountApi.logout().catch(() => undefined)
    endSession('signedOut')
  }
}
