import type { AuthorizationDecision, IssuerNotice, IssuerTools, RawReply, RawRequest } from '../port.ts'
import { NOTICE_KEY } from './client.ts'
import { isSigned, SIGNATURE } from './envelope.ts'
import { noticeBody, requestBody } from './wire.ts'

const KINDS = ['authorization', 'transaction', 'card', 'dispute', 'challenge'] as const

export function readNotice(tools: IssuerTools, { headers, body }: RawRequest): IssuerNotice | undefined {
  if (headers['content-encoding'] || !isSigned(tools.secrets(NOTICE_KEY), tools.now().getTime(), headers[SIGNATURE], body)) return undefined
  const value = parse(body)
  const notice = noticeBody.safeParse(value).data
  if (!notice) return undefined
  const { id: eventId, type, ref, card: cardRef } = notice
  if (type === 'authorization.request') {
    const asked = requestBody.safeParse(value).data?.request
    return asked && { kind: 'decide', eventId, asked: { ref, cardRef, ...asked } }
  }
  const kind = KINDS.find((one) => type.startsWith(`${one}.`))
  return kind ? { kind, eventId, ref, cardRef } : { kind: 'ignored', eventId }
}

export function answer(decision: AuthorizationDecision): RawReply {
  const body = decision.approved
    ? { approved: true, ...(decision.minor === undefined ? {} : { minor: decision.minor.toString() }) }
    : { approved: false, reason: decision.reason }
  return { status: 200, type: 'application/json', body: JSON.stringify(body) }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}
