import { createApi } from '#platform/web/calls/api.ts'
import { accountContract } from '#features/account/contract.ts'

const api = createApi({ info: accountContract.info })

/** Whether the account has a mailbox: an issuer writes to one. */
export async function profileOf(signal: AbortSignal): Promise<{ email: string | null }> {
  const { email } = await api.info({}, { signal })
  return { email: email || null }
}
