import { randomBytes } from 'node:crypto'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { parseUsd, formatUsd } from '#platform/shared/money.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { seal } from '#platform/server/sealing/seal.ts'
import { transact } from '#platform/server/database/transact.ts'
import { isSessionProven } from '#features/account/server/door.ts'
import type { alertsContract } from '../../contract-alerts.ts'
import { selectAlertSettings, selectLatestWebhooks, lockAlertSettings, saveAlertSettings, countTestsSince } from './data-alerts.ts'
import { queueWebhook } from './queue-webhook.ts'
import { WEBHOOK_SECRET_PURPOSE } from './deliver-webhook.ts'

type Problem = NonNullable<ReplyOf<(typeof alertsContract)['alerts']>['deliveries'][number]['problem']>

/** Recorded delivery errors (deliver-webhook.ts, public-call.ts) with the code that the owner's page translates. */
const KNOWN_PROBLEMS: readonly (readonly [RegExp, Problem['code']])[] = [
  [/^the answer was HTTP (\d+)$/, 'status'],
  [/^no answer within (\d+) s$/, 'silent'],
  [/^the connection failed \((.+)\)$/, 'connection'],
  [/^the name could not be resolved$/, 'name'],
  [/^the address is not public$/, 'address'],
  [/^the webhook was removed$/, 'removed'],
  [/^the account is frozen$/, 'frozen'],
  [/^too many deliveries wait$/, 'crowded'],
]

export function readProblem(text: string): Problem {
  for (const [pattern, code] of KNOWN_PROBLEMS) {
    const match = pattern.exec(text)
    if (match) return { code, detail: match[1] ?? '' }
  }
  return { code: 'connection', detail: text }
}

type C = typeof alertsContract
const SHOWN_DELIVERIES = 10
/** Limit on test events per user in ten minutes. */
const MAX_TESTS = 5
const TEST_WINDOW_MS = 600_000

export async function alerts(ctx: Ctx): Promise<ReplyOf<C['alerts']>> {
  const settings = await selectAlertSettings(ctx.db, ctx.userId)
  const rows = await selectLatestWebhooks(ctx.db, ctx.userId, SHOWN_DELIVERIES)
  return {
    lowBalance: settings?.lowBalance == null ? null : formatUsd(settings.lowBalance),
    webhookUrl: settings?.webhookUrl ?? null,
    deliveries: rows.map((row) => ({
      event: row.event,
      at: row.createdAt.toISOString(),
      state: row.state,
      attempts: row.attempts,
      problem: row.problem === null ? null : readProblem(row.problem),
    })),
  }
}

/** Normalized URL to call, or undefined. Its address is checked at each delivery because DNS records change. */
function parseWebhookUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'https:' && url.username === '' && url.password === '' && url.hostname.includes('.') ? url.href : undefined
}

export async function saveAlerts(ctx: Ctx, input: InputOf<C['saveAlerts']>): Promise<ReplyOf<C['saveAlerts']>> {
  const url = input.webhookUrl === null || input.webhookUrl === '' ? null : (parseWebhookUrl(input.webhookUrl) ?? fail('WEBHOOK_URL_BAD'))
  const proven = await isSessionProven(ctx)
  return transact(ctx.db, ctx.actor, async (tx) => {
    const before = await lockAlertSettings(tx, ctx.userId)
    const isSame = before.webhookUrl === url
    if (url !== null && !isSame && !proven) fail('STEP_UP_REQUIRED')
    const secret = url === null || isSame ? null : `whsec_${randomBytes(32).toString('base64url')}`
    await saveAlertSettings(tx, ctx.userId, {
      lowBalance: input.lowBalance === null ? null : parseUsd(input.lowBalance),
      webhookUrl: url,
      webhookSecret: isSame ? before.webhookSecret : secret === null ? null : seal(ctx.secretKey, WEBHOOK_SECRET_PURPOSE, { owner: ctx.userId, text: secret }),
    })
    await tx.audit('alerts.changed', `user:${ctx.userId}`, { lowBalance: input.lowBalance, webhookHost: url === null ? null : new URL(url).host, ip: ctx.ip })
    return { webhookSecret: secret }
  })
}

/** Throws TOO_MANY with `retryAfterSeconds`. */
export async function testWebhook(ctx: Ctx): Promise<Record<string, never>> {
  return transact(ctx.db, ctx.actor, async (tx) => {
    const settings = await lockAlertSettings(tx, ctx.userId)
    if (!settings.webhookUrl) fail('WEBHOOK_NONE')
    const now = ctx.clock.now().getTime()
    const { n, oldest } = await countTestsSince(tx, ctx.userId, new Date(now - TEST_WINDOW_MS))
    if (n >= MAX_TESTS)
      fail('TOO_MANY', { retryAfterSeconds: Math.ceil(Math.min(TEST_WINDOW_MS, Math.max(1000, oldest!.getTime() + TEST_WINDOW_MS - now)) / 1000) })
    await queueWebhook(ctx, tx, { userId: ctx.userId, id: createId('evt'), event: 'test', data: { message: 'ok' } })
    await tx.audit('alerts.tested', `user:${ctx.userId}`)
    return {}
  })
}
