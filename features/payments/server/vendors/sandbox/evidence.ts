import type { ChannelTools, EvidenceOutcome, EvidenceCall, RawReply, RawRequest } from '../port.ts'
import { send } from './client.ts'
import { keepEvidence } from './data-refunds.ts'
import { EVIDENCE_MS, read } from './gateway.ts'
import { contestReply, contestRequest, json } from './wire.ts'

const RULING_SECONDS = 5

/** Our side: hands evidence in, the same number again is the same evidence. */
export async function contest(tools: ChannelTools, call: EvidenceCall): Promise<EvidenceOutcome> {
  const reply = contestReply.parse(await send(tools, 'contest', { ...call }))
  return reply.code === 'REFUSED' ? { kind: 'refused', reason: reply.message } : { kind: 'taken' }
}

/**
 * Evidence endpoint of the sandbox company. Accepts evidence and rules in our favour, unless the words contain `lose`; a dispute
 * whose amount already chose a ruling keeps it.
 */
export async function takeEvidence(tools: ChannelTools, request: RawRequest): Promise<RawReply> {
  const call = read(tools, request, contestRequest)
  if (!call) return json(401, { code: 'SIGNATURE' })
  const now = tools.now()
  const isTaken = await keepEvidence(tools.query, {
    ...{ disputeId: call.disputeId, evidenceNo: call.evidenceNo, evidence: { words: call.words, facts: call.facts } },
    ...{
      ruling: /\blose\b/i.test(call.words) ? 'lost' : 'won',
      ruledAt: new Date(now.getTime() + RULING_SECONDS * 1000),
      since: new Date(now.getTime() - EVIDENCE_MS),
    },
  })
  return json(200, isTaken ? { code: 'OK' } : { code: 'REFUSED', message: 'no evidence is taken any more' })
}
