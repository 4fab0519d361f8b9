import { allowsSandbox } from '#platform/server/config.ts'
import { Failure } from '#platform/shared/errors.ts'
import type { RawReply, RawRoute } from '#platform/server/feature.ts'
import { conversationPage, formToken, isFormToken, PAGE_HEADERS } from './page.ts'
import { answerConversation, closeConversation, openConversation } from '../desk/conversations.ts'

const OPERATOR = { kind: 'operator', id: 'sandbox' } as const
const path = '/sandbox/support/{id}'
const NOT_HERE: RawReply = { status: 404, type: 'text/plain; charset=utf-8', body: '404' }

/** An operator's seat outside production: read a conversation, answer it, close it. */
export const sandboxRoutes: readonly RawRoute[] = [
  {
    method: 'GET',
    path,
    role: 'sandbox',
    handle: async (deps, { params }) => {
      if (!allowsSandbox(deps.config, 'support')) return NOT_HERE
      return orNotHere(async () => {
        const conversation = await openConversation(deps.db, params['id']!)
        return {
          status: 200,
          type: 'text/html; charset=utf-8',
          headers: PAGE_HEADERS,
          body: conversationPage(conversation, formToken(deps.secretKey, conversation.id)),
        }
      })
    },
  },
  {
    method: 'POST',
    path,
    role: 'sandbox',
    handle: async (deps, { params, body }) => {
      if (!allowsSandbox(deps.config, 'support')) return NOT_HERE
      const id = params['id']!
      const form = new URLSearchParams(body.toString('utf8'))
      if (!isFormToken(deps.secretKeys, id, form.get('token') ?? '')) return { ...NOT_HERE, status: 403, body: '403' }
      return orNotHere(async () => {
        if (form.get('do') === 'close') await closeConversation(deps, OPERATOR, id)
        else if (form.get('text')?.trim()) await answerConversation(deps, OPERATOR, { conversationId: id, text: form.get('text')! })
        return { status: 303, type: 'text/plain; charset=utf-8', body: '', headers: { location: `/sandbox/support/${encodeURIComponent(id)}` } }
      })
    },
  },
]

async function orNotHere(work: () => Promise<RawReply>): Promise<RawReply> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure) return NOT_HERE
    throw error
  }
}
