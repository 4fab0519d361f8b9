import { SIGNATURE, signatureOf } from '../envelope.ts'
import { makeRef } from './company.ts'
import type { Company } from './company.ts'
import type { Notice } from './data.ts'
import type { NoticeFault } from './magic-inputs.ts'
import type { Authorization, Local } from './model.ts'

/** Seconds to the next try after each failed one: further apart each time, over three days. */
const SCHEDULE = [1, 2, 5, 10, 30, 60, 300, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 86_400]
const LATE_MS = 4_000
const TRY_MS = 10_000
const AT_ONCE = 8

export type About = 'authorization' | 'transaction' | 'card' | 'dispute' | 'challenge'

/** Puts a notice into the post, in the transaction of what it tells. It names things; it holds no figures. */
export function notify(company: Company, about: About, verb: 'created' | 'updated', ref: string, card: string, magic?: NoticeFault): void {
  const fault = company.plan.notices.shift() ?? magic
  if (fault === 'lost') return
  const id = makeRef('evt')
  const body = JSON.stringify({ id, type: `${about}.${verb}`, created: Math.floor(company.now() / 1000), ref, card })
  const late = fault === 'slow' ? 2 * LATE_MS : fault === 'out-of-order' ? LATE_MS : 0
  company.store.addNotice(id, body, company.now() + late, fault)
  company.wake()
}

/** Sends what is due, a few at a time. `everything`: what is put off too. Resolves to how many tries were made. */
export async function deliver(company: Company, everything = false): Promise<number> {
  const endpoint = company.endpoint()
  if (!endpoint) return 0
  const due = company.store.dueNotices(everything ? Number.MAX_SAFE_INTEGER : company.now(), AT_ONCE)
  await Promise.all(due.map((notice) => tryOnce(company, endpoint, notice)))
  return due.length
}

async function tryOnce(company: Company, endpoint: string, { seq, body, tries, fault }: Notice): Promise<void> {
  // put off before it is sent: a process that dies meanwhile sends it again
  const pause = SCHEDULE[tries]
  if (pause === undefined) return company.store.noticeDone(seq)
  company.store.putOff(seq, company.now() + pause * 1000)
  const key = fault === 'unsigned' && tries === 0 ? Buffer.from('not our key') : company.noticeKey
  const sendOnce = () => postTo(company, endpoint, body, key, TRY_MS).then(({ status }) => status >= 200 && status < 300)
  const taken = await sendOnce().catch(() => false)
  if (taken && fault === 'twice') await sendOnce().catch(() => false)
  if (taken) company.store.noticeDone(seq)
}

async function postTo(company: Company, url: string, body: string, key: Buffer, withinMs: number) {
  const headers = { 'content-type': 'application/json', [SIGNATURE]: signatureOf(key, company.wall(), body) }
  return company.send(url, headers, body, AbortSignal.timeout(withinMs))
}

export interface Question {
  readonly minor: bigint
  readonly local?: Local | undefined
  readonly increment: boolean
  readonly partialAllowed: boolean
}
export type Answer = { readonly approved: true; readonly minor: bigint } | { readonly approved: false; readonly reason?: string }

/** Asks the platform about an authorisation. Undefined: no usable answer in time. */
export async function ask(company: Company, { ref, card, merchant }: Authorization, question: Question): Promise<Answer | undefined> {
  const endpoint = company.endpoint()
  const fault = company.plan.decisions.shift()
  if (!endpoint || fault === 'lost') return undefined
  const body = JSON.stringify({
    id: makeRef('evt'),
    type: 'authorization.request',
    created: Math.floor(company.now() / 1000),
    ref,
    card,
    request: {
      merchant,
      minor: question.minor.toString(),
      increment: question.increment,
      partialAllowed: question.partialAllowed,
      ...(question.local ? { local: { minor: question.local.minor.toString(), currency: question.local.currency } } : {}),
    },
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), company.decideWithinMs)
  })
  const answer = postTo(company, endpoint, body, company.noticeKey, company.decideWithinMs).then(
    (reply) => (reply.status === 200 ? readAnswer(reply.body, question) : undefined),
    () => undefined,
  )
  const inTime = await Promise.race([answer, late]).finally(() => clearTimeout(timer))
  return fault === 'late' ? undefined : inTime
}

function readAnswer(text: string, { minor, partialAllowed }: Question): Answer | undefined {
  try {
    const answer = JSON.parse(text) as { approved?: unknown; minor?: unknown; reason?: unknown } | null
    if (answer?.approved === false) return { approved: false, ...(typeof answer.reason === 'string' ? { reason: answer.reason } : {}) }
    if (answer?.approved !== true) return undefined
    if (answer.minor === undefined) return { approved: true, minor }
    const named = BigInt(answer.minor as string)
    // naming a sum is only for those who may
    return partialAllowed && named > 0n && named <= minor ? { approved: true, minor: named } : undefined
  } catch {
    return undefined
  }
}
