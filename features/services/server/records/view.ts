import { usd } from '#platform/shared/money.ts'
import { fill, wordsOf } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { ServiceTask } from '../../contract.ts'
import { LAPSED, NOT_PAID, DRAFT } from '../../words.ts'
import type { Task } from '../kit/data.ts'
import { specOf } from '../kit/registry.ts'
import { serviceTexts } from '../../texts.ts'

/** A word of a service; of those that all services share, the kit's own. */
export function wordOf(service: string, kind: 'state' | 'cause' | 'product', name: string, lang: Lang): string {
  if (name === '') return ''
  const own = serviceTexts[lang]
  if (kind === 'state' && (name === DRAFT || name === LAPSED)) return own[name === DRAFT ? 'state_draft' : 'state_lapsed']
  if (kind === 'cause' && name === NOT_PAID) return own.cause_not_paid
  const { texts } = specOf(service)
  const words = { state: wordsOf(texts, 'state_'), cause: wordsOf(texts, 'cause_'), product: wordsOf(texts, 'product_') }
  return words[kind](lang, name) ?? name
}

/** Why something could not begin, in the service's own words, else in the kit's. */
export function refusalOf(service: string, errorName: string, data: Readonly<Record<string, unknown>>, lang: Lang): string {
  const [own, shared] = [wordsOf(specOf(service).texts, 'error_'), wordsOf(serviceTexts, 'error_')]
  return fill(own(lang, errorName) ?? shared(lang, errorName) ?? serviceTexts[lang].mail_kept_other, data)
}

export const titleOf = (service: string, lang: Lang): string => specOf(service).texts[lang]['title']!

const at = (time: Date | null): string | null => time?.toISOString() ?? null

/** As its owner sees it: no supplier, no person of the desk. */
export function taskView(task: Task, lang: Lang): ServiceTask {
  const { service } = task
  return {
    id: task.id,
    service,
    title: titleOf(service, lang),
    product: task.product,
    productName: wordOf(service, 'product', task.product, lang),
    state: task.state,
    stateName: wordOf(service, 'state', task.state, lang),
    phase: task.phase,
    cause: task.cause,
    causeName: wordOf(service, 'cause', task.cause, lang),
    amount: usd(task.amount),
    money: task.money,
    charged: usd(task.charged),
    returned: usd(task.returned),
    free: task.free,
    orderNo: task.order_no,
    path: specOf(service).path,
    createdTime: task.created_at.toISOString(),
    startedTime: at(task.started_at),
    deliveredTime: at(task.delivered_at),
    deadlineTime: at(task.deadline_at),
    expiresTime: at(task.expires_at),
    finishedTime: at(task.finished_at),
  }
}
