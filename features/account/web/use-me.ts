import { useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { queryClient } from '#platform/web/calls/query.tsx'
import { endSession, useSignedIn } from '#platform/web/state/session.ts'
import type { accountContract } from '../contract.ts'
import { userAccountApi } from './account-api.ts'

export type Me = ReplyOf<(typeof accountContract)['info']>

/** The signed-in user; idle for visitors. */
export function useCurrentUser() {
  return useQuery({ queryKey: ['account', 'info'], queryFn: ({ signal }) => userAccountApi.info({}, { signal }), enabled: useSignedIn(), staleTime: 60_000 })
}

/** For notices that a user sees once (platform/web/once.ts). */
export async function claimTip(tip: string): Promise<boolean> {
  const { profileApi } = await import('./security/api.ts')
  return (await profileApi.useTips({ tip })).isFirst
}

/** Checks if the user is in the gradual-release group; fetched only on pages that need it. */
export async function fetchIsGradual(): Promise<boolean> {
  const { profileApi } = await import('./security/api.ts')
  return (await profileApi.isGradual({})).isGradual
}

/** Refreshes the user after a change of the account. */
export function reloadMe(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['account'] })
}

/** Ends the session in this browser even if the server cannot be reached; there it expires after seven days. */
export function useSignOut(): () => Promise<void> {
  return async () => {
    await userAccountApi.logout().catch(() => undefined)
    endSession('signedOut')
  }
}
