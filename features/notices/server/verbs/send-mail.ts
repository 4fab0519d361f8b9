import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { insertNotice } from '../data.ts'
import { renderMail } from '../render.ts'
import type { MailTemplate } from '../render.ts'
import { sealNotice } from '../seal.ts'

export interface MailOrder<K extends string = string> {
  /** A bare address, already checked. */
  readonly to: string
  readonly template: MailTemplate<K>
  /** Values of the template's {placeholders}; a value named `code` is a secret that is the purpose of the mail. */
  readonly values: Readonly<Record<string, string>>
  readonly lang: Lang
  /** Idempotency key of the event: a second order with the same key sends nothing. */
  readonly dedupe: string
  /** Seconds after which the mail is useless and no longer tried; defaults to one day. */
  readonly goodForSeconds?: number
}

const DAY = 86_400

/**
 * Queues a mail in the caller's transaction: it is sent if and only if that commits. A job sends it and retries with growing pauses while
 * it is valid. The rendered content is stored sealed (AES-256-GCM) and cleared once it is sent, or after some days if the template is
 * repeatable.
 */
export async function sendMail<K extends string>(deps: Pick<Deps, 'jobs' | 'config' | 'secretKey' | 'clock'>, tx: Tx, order: MailOrder<K>): Promise<void> {
  const now = deps.clock.now()
  const id = createId('mail', now.getTime())
  const rendered = renderMail(order.template, order.values, { lang: order.lang, config: deps.config })
  const content = sealNotice(deps.secretKey, id, JSON.stringify(rendered))
  const repeatable = order.template.repeatable === true && rendered.code === undefined
  const goodUntil = new Date(now.getTime() + (order.goodForSeconds ?? DAY) * 1000)
  const fresh = await insertNotice(tx, 'mail', { id, dedupe: order.dedupe, template: order.template.name, to: order.to, content, goodUntil, now, repeatable })
  if (fresh) await deps.jobs.send(tx, 'notices.deliver-mail', { mailId: id })
}
