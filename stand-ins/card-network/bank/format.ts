import type { Answer, MessageFormat, Question } from '../company.ts'
import { isDeclineCode } from '../model.ts'
import { BANK_SIGNATURE, signBankNotice } from '../signature.ts'

/** Further apart each time, over three days. */
const SCHEDULE = [1, 2, 5, 10, 30, 60, 300, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 86_400]

/** The bank's own messages: notices name things and hold no figures. */
export const createBankFormat = (key: Buffer): MessageFormat => ({
  schedule: SCHEDULE,
  writeNotice: (company, { id, subject, verb, ref, card }) =>
    JSON.stringify({ id, type: `${subject}.${verb}`, created: Math.floor(company.now() / 1000), ref, card }),
  writeQuestion: (company, { ref, card, merchant }, { minor, increment, partialAllowed, local }) => {
    const id = company.makeRef('evt')
    const request = {
      merchant,
      minor: minor.toString(),
      increment,
      partialAllowed,
      ...(local ? { local: { minor: local.minor.toString(), currency: local.currency } } : {}),
    }
    return { id, body: JSON.stringify({ id, type: 'authorization.request', created: Math.floor(company.now() / 1000), ref, card, request }) }
  },
  sign: (company, { body, isForged }) => ({
    'content-type': 'application/json',
    [BANK_SIGNATURE]: signBankNotice(isForged ? Buffer.from('not our key') : key, company.wall(), body),
  }),
  readAnswer: ({ status, body }, question) => (status === 200 ? readBankAnswer(body, question) : undefined),
})

function readBankAnswer(text: string, { minor, partialAllowed }: Question): Answer | undefined {
  try {
    const answer = JSON.parse(text) as { approved?: unknown; minor?: unknown; reason?: unknown } | null
    if (answer?.approved === false) return { approved: false, reason: isDeclineCode(answer.reason) ? answer.reason : 'issuer_rule' }
    if (answer?.approved !== true) return undefined
    if (answer.minor === undefined) return { approved: true, minor }
    const named = BigInt(answer.minor as string)
    // only a merchant that takes a part may be given one
    return partialAllowed && named > 0n && named <= minor ? { approved: true, minor: named } : undefined
  } catch {
    return undefined
  }
}
