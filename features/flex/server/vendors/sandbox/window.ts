import type { SeatTools, UsageWindow } from '../port.ts'
import { messagesOf } from './data.ts'
import type { SandboxMember } from './data.ts'

const WINDOW_MS = 3 * 3_600_000

/** Messages in three hours of an account, by its tier. */
const allowedOf = (accountRef: string): number => (/-(max|tokenPro)$/.test(accountRef) ? 100 : 30)

export async function windowOf({ query, now }: Pick<SeatTools, 'query' | 'now'>, member: SandboxMember, service: string): Promise<UsageWindow> {
  const sent = await messagesOf(query, member.ref, service, new Date(now().getTime() - WINDOW_MS))
  return { service, used: sent.length, allowed: allowedOf(member.accountRef), resetsAt: sent[0] ? new Date(sent[0].getTime() + WINDOW_MS) : null }
}
