import { createApi } from '#platform/web/calls/api.ts'
import { accountContract } from '#features/account/contract.ts'

const api = createApi({ info: accountContract.info })

/** The account's e-mail address, which issuers require; null without one. */
export async function fetchProfile(signal: AbortSignal): Promise<{ email: string | null }> {
  const { email } = await api.info({}, { signal })
  return { email: email || null }
}
