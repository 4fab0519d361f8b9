import type { Answer, Company, NoticeSubject, Question } from './company.ts'
import type { Notice } from './data.ts'
import type { NoticeFault } from './magic-inputs.ts'
import type { Authorization } from './model.ts'

const LATE_MS = 4_000
const TRY_MS = 10_000
const AT_ONCE = 8

/** Stores a notice, in the transaction of the event. */
export function notify(company: Company, subject: NoticeSubject, verb: 'created' | 'updated', ref: string, card: string, magic?: NoticeFault): void {
  const fault = company.plan.notices.shift() ?? magic
  if (fault === 'lost') return
  const id = company.makeRef('evt')
  const body = company.format.writeNotice(company, { id, subject, verb, ref, card })
  if (body === undefined) return
  const late = fault === 'slow' ? 2 * LATE_MS : fault === 'out-of-order' ? LATE_MS : 0
  company.store.addNotice(id, body, company.now() + late, fault)
  company.wake()
}

/** Sends due notices, a few at a time; with `everything`, postponed ones too. Resolves to the number of tries. */
export async function deliver(company: Company, everything = false): Promise<number> {
  const endpoint = company.endpoint()
  if (!endpoint) return 0
  const due = company.store.dueNotices(everything ? Number.MAX_SAFE_INTEGER : company.now(), AT_ONCE)
  await Promise.all(due.map((notice) => tryOnce(company, endpoint, notice)))
  return due.length
}

async function tryOnce(company: Company, endpoint: string, { seq, id, body, tries, fault }: Notice): Promise<void> {
  // postponed before it is sent: a process that dies meanwhile sends it again
  const pause = company.format.schedule[tries]
  company.store.putOff(seq, company.now() + (pause ?? 0) * 1000)
  const headers = () => company.format.sign(company, { id, body, isQuestion: false, isForged: fault === 'unsigned' && tries === 0 })
  const sendOnce = () => company.send(endpoint, headers(), body, AbortSignal.timeout(TRY_MS)).then(({ status }) => status >= 200 && status < 300)
  const taken = await sendOnce().catch(() => false)
  if (taken && fault === 'twice') await sendOnce().catch(() => false)
  if (taken || pause === undefined) company.store.noticeDone(seq)
}

/** Asks the platform about an authorisation. Undefined: no usable answer in time. */
export async function askPlatform(company: Company, authorization: Authorization, question: Question): Promise<Answer | undefined> {
  const endpoint = company.endpoint()
  const fault = company.plan.decisions.shift()
  if (!endpoint || fault === 'lost') return undefined
  const { id, body } = company.format.writeQuestion(company, authorization, question)
  const headers = company.format.sign(company, { id, body, isQuestion: true, isForged: false })
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), company.decideWithinMs)
  })
  const signal = AbortSignal.timeout(company.decideWithinMs)
  const tryOften = async (left: number): Promise<Answer | undefined> => {
    const reply = await company.send(endpoint, headers, body, signal).catch(() => undefined)
    if ((!reply || reply.status >= 500) && left > 1 && !signal.aborted) return tryOften(left - 1)
    return reply && company.format.readAnswer(reply, question, id)
  }
  const answer = tryOften(company.format.questionTries ?? 1)
  const inTime = await Promise.race([answer, late]).finally(() => clearTimeout(timer))
  return fault === 'late' ? undefined : inTime
}
