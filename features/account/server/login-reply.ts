import type { LoginReply } from '../contract.ts'

export function loginReplyOf(token: string, account: { readonly email: string; readonly verified_at: Date | null }): LoginReply {
  return { token, loginUser: { email: account.email, emailVerifyStatus: account.verified_at ? 1 : 0 } }
}
