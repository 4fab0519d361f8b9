import { formatUsd } from '#platform/shared/money.ts'
import { fill, createTextLookup } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { ServiceTask } from '../../contract.ts'
import { LAPSED, NOT_PAID, DRAFT } from '../../words.ts'
import type { Task } from '../kit/data.ts'
import { requireServiceSpec } from '../kit/registry.ts'
import { serviceKitTexts } from '../../texts.ts'

/** Translates a name of a service; names common to all services come from the kit's texts. */
export function translateServiceWord(
  service: string,
  kind: 'state' | 'cause' | 'product',
  { name, lang }: { readonly name: string; readonly lang: Lang },
): string {
  if (name === '') return ''
  const own = serviceKitTexts[lang]
  if (kind === 'state' && (name === DRAFT || name === LAPSED)) return own[name === DRAFT ? 'state_draft' : 'state_lapsed']
  if (kind === 'cause' && name === NOT_PAID) return own.cause_not_paid
  const { texts } = requireServiceSpec(service)
  const words = { state: createTextLookup(texts, 'state_'), cause: createTextLookup(texts, 'cause_'), product: createTextLookup(texts, 'product_') }
  return words[kind](lang, name) ?? name
}

/** Explains a refused start in the service's texts, with the kit's as fallback. */
export function describeServiceRefusal(
  service: string,
  errorName: string,
  { data, lang }: { readonly data: Readonly<Record<string, unknown>>; readonly lang: Lang },
): string {
  const [own, shared] = [createTextLookup(requireServiceSpec(service).texts, 'error_'), createTextLookup(serviceKitTexts, 'error_')]
  return fill(own(lang, errorName) ?? shared(lang, errorName) ?? serviceKitTexts[lang].mail_kept_other, data)
}

export const translateServiceTitle = (service: string, lang: Lang): string => requireServiceSpec(service).texts[lang]['title']!

const toIsoTime = (time: Date | null): string | null => time?.toISOString() ?? null

/** A task as its owner sees it, without supplier or operator. */
export function buildTaskView(task: Task, lang: Lang): ServiceTask {
  const { service } = task
  return {
    id: task.id,
    service,
    title: translateServiceTitle(service, lang),
    product: task.product,
    productName: translateServiceWord(service, 'product', { name: task.product, lang }),
    state: task.state,
    stateName: translateServiceWord(service, 'state', { name: task.state, lang }),
    phase: task.phase,
    cause: task.cause,
    causeName: translateServiceWord(service, 'cause', { name: task.cause, lang }),
    amount: formatUsd(task.amount),
    money: task.money,
    charged: formatUsd(task.charged),
    returned: formatUsd(task.returned),
    free: task.free,
    orderNo: task.orderNo,
    path: requireServiceSpec(service).path,
    createdTime: task.createdAt.toISOString(),
    startedTime: toIsoTime(task.startedAt),
    deliveredTime: toIsoTime(task.deliveredAt),
    deadlineTime: toIsoTime(task.deadlineAt),
    expiresTime: toIsoTime(task.expiresAt),
    finishedTime: toIsoTime(task.finishedAt),
  }
}
