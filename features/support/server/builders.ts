import type { Ctx, Deps } from '#platform/server/feature.ts'
import { createId, createRandomCode } from '#platform/shared/ids.ts'
import { supportContract } from '../contract.ts'
import type { ConversationUpdate } from '../contract.ts'
import { startConversation } from './verbs/conversations.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

export interface BuiltConversation {
  readonly id: string
  /** Set for a visitor's conversation. */
  readonly visitorToken: string | undefined
  readonly news: ConversationUpdate
}

/** Starts a conversation with its first message, of a user, or of a visitor without a user id. No mail is sent. */
export async function aConversation(deps: Deps, wish: { userId?: string; text?: string; orderNo?: string; email?: string } = {}): Promise<BuiltConversation> {
  const input = supportContract.start.input.parse({
    clientId: createRandomCode(24),
    text: wish.text ?? '充值后余额没有变化',
    ...(wish.orderNo ? { orderNo: wish.orderNo } : {}),
    ...(wish.userId ? {} : { email: wish.email ?? `visitor-${createRandomCode(8).toLowerCase()}@example.com` }),
  })
  const { visitorToken, ...news } = await startConversation(buildCtx(deps, wish.userId), input)
  return { id: news.conversation.id, visitorToken: visitorToken ?? undefined, news }
}

function buildCtx(deps: Deps, userId: string | undefined): Ctx {
  return {
    ...deps,
    actor: userId ? { kind: 'user', id: userId } : { kind: 'anonymous', id: 'anonymous' },
    userId: userId ?? '',
    sessionId: '',
    lang: DEFAULT_LANG,
    clientType: 1,
    requestId: createId('req'),
    // a separate address, so that the limits of visitors do not apply
    ip: `10.${randomByte()}.${randomByte()}.${randomByte()}`,
    userAgent: 'builder',
    tx: undefined,
  }
}

const randomByte = () => crypto.getRandomValues(new Uint8Array(1))[0]!
